import assert from "node:assert/strict";
import { test } from "node:test";
import { health } from "./health.ts";

/** A machine whose Clew is ready after `readyAfter` questions, and whose clock moves when something waits. */
function machine({ readyAfter }: { readyAfter: number }) {
  const printed: string[] = [];
  let nowMs = 0;
  let questions = 0;
  const context = {
    env: { PORT: "9" },
    print: (line: string) => void printed.push(line),
    async fetch() {
      questions += 1;
      if (questions > readyAfter) return Response.json({ status: "ok" });
      throw new Error("connect ECONNREFUSED");
    },
    waits: {
      now: () => nowMs,
      async sleep(ms: number) {
        nowMs += ms;
      },
    },
  };
  return { context, printed, questions: () => questions, nowMs: () => nowMs };
}

test("OPS-7: clew health --wait is done as soon as Clew is ready", async () => {
  const { context, printed, questions } = machine({ readyAfter: 3 });
  await health(context, { wait: 60 });
  assert.deepEqual(printed, ["Clew is ready at http://127.0.0.1:9."]);
  assert.equal(questions(), 4);
});

test("OPS-7: clew health --wait exits with 4 if Clew is not ready in time, and says why", async () => {
  const { context, questions, nowMs } = machine({ readyAfter: Number.POSITIVE_INFINITY });
  await assert.rejects(health(context, { wait: 2 }), {
    exitCode: 4,
    message: "Clew is not ready at http://127.0.0.1:9 after 2 s: connect ECONNREFUSED.",
  });
  assert.ok(questions() > 2);
  assert.ok(nowMs() <= 2000);
});

test("OPS-7: clew health without --wait asks once", async () => {
  const { context, questions } = machine({ readyAfter: 1 });
  await assert.rejects(health(context), { exitCode: 4 });
  assert.equal(questions(), 1);
});

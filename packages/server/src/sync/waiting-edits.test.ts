import assert from "node:assert/strict";
import { test } from "node:test";
import type { SyncRequest } from "../connections/request-sync.ts";
import { GivenCursors } from "../graphs/given-cursors.ts";
import { createVirtualTime } from "./testing/virtual-time.ts";
import { WaitingEdits } from "./waiting-edits.ts";

const named = (...ids: readonly string[]): SyncRequest => ({
  by: "watch",
  only: ids.map((id) => ({ of: "page" as const, id })),
});

/** Edits in virtual time. `at` counts in milliseconds from the beginning. */
function stage() {
  const time = createVirtualTime();
  const start = time.clock();
  const stored: { readonly at: number; readonly id: number; readonly what: string }[] = [];
  const cursors = new GivenCursors(time.clock);
  const edits = new WaitingEdits({
    sync: {
      request: async (id, { by, only } = {}) => {
        const what = only === undefined || only === "edits" ? `${only}` : only.map((one) => one.id).join();
        stored.push({ at: time.clock() - start, id, what: `${by}: ${what}` });
      },
    },
    lists: cursors,
    ...time,
  });
  return {
    cursors,
    edits,
    stored,
    pass: (ms: number) => time.run(time.sleep(ms)),
    /** Somebody who reads a page of a list each second from now on, for so long. */
    async read(id: number, seconds: number) {
      for (let second = 0; second < seconds; second += 1) {
        cursors.note([id]);
        await time.run(time.sleep(1_000));
      }
    },
  };
}

test("SRC-2: an edit is read at once while no client pages through a list of its connection", async () => {
  const { cursors, edits, stored, pass } = stage();
  cursors.note([2]);
  const requested = edits.request(1, named("a"));
  await pass(1);
  await requested;
  assert.deepEqual(stored, [{ at: 0, id: 1, what: "watch: a" }]);
});

test("SRC-2: while a client pages through a list, edits wait for eight seconds after the first of them, and are read together", async () => {
  const { edits, stored, read } = stage();
  const reading = read(1, 3);
  await reading;
  const requests = [edits.request(1, named("a", "b"))];
  await read(1, 5);
  requests.push(edits.request(1, named("b", "c")), edits.request(1, { by: "look", only: "edits" }));
  assert.deepEqual(stored, []);
  await read(1, 4);
  await Promise.all(requests);
  assert.deepEqual(stored, [
    { at: 11_000, id: 1, what: "watch: a,b,c" },
    { at: 11_000, id: 1, what: "look: edits" },
  ]);
  edits.request(1, named("d"));
  await read(1, 9);
  assert.deepEqual(stored.at(-1), { at: 20_000, id: 1, what: "watch: d" }, "the next edit waits anew");
});

test("SRC-2: an edit is read once no client pages any more, ten seconds after the last cursor", async () => {
  const { cursors, edits, stored, pass } = stage();
  cursors.note([1]);
  await pass(7_000);
  edits.request(1, { by: "watch" });
  await pass(2_999);
  assert.deepEqual(stored, []);
  await pass(1);
  assert.deepEqual(stored, [{ at: 10_000, id: 1, what: "watch: undefined" }]);
});

test("SRC-2: what waits is stored if Clew stops, and what comes later at once", async () => {
  const { cursors, edits, stored } = stage();
  cursors.note([1]);
  const waiting = edits.request(1, named("a"));
  await edits.stop();
  await waiting;
  await edits.request(1, named("b"));
  assert.deepEqual(
    stored.map(({ at, what }) => [at, what]),
    [
      [0, "watch: a"],
      [0, "watch: b"],
    ],
  );
});

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { ApiError } from "../model/api-error.ts";
import { QueryThreads } from "./query-threads.ts";
import type { StubNews } from "./testing/stub-worker.ts";

const deadlineMs = 6_000;
const maxStartMs = 60_000;

/** One thread, which starts when the test lets it, on a clock that the test sets. */
function setUp(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const path = randomUUID();
  const channel = new BroadcastChannel(path);
  const news: StubNews[] = [];
  let arrived = Promise.withResolvers<void>();
  channel.onmessage = ({ data }) => {
    news.push(data);
    arrived.resolve();
    arrived = Promise.withResolvers();
  };
  const errors: Error[] = [];
  const threads = new QueryThreads({
    location: { kind: "sqlite", path },
    maxThreads: 1,
    onError: (error) => errors.push(error),
    maxWaitingOfCaller: 1,
    deadlineMs,
    maxStartMs,
    module: new URL("./testing/stub-worker.ts", import.meta.url),
  });
  t.after(async () => {
    await threads.close();
    channel.close();
  });
  return {
    threads,
    errors,
    /** Waits for the thread that starts `number`th, or the job that runs `number`th, and returns the id of its thread. */
    async heard(event: StubNews["event"], number = 1): Promise<number> {
      for (;;) {
        const found = news.filter((each) => each.event === event)[number - 1];
        if (found !== undefined) return found.threadId;
        await arrived.promise;
      }
    },
    /** Lets the thread that starts be up. */
    letStart: () => channel.postMessage("be up"),
    /** Asks for a job, and returns the id of the thread that answers. */
    async ask(order = "answer", signal?: AbortSignal): Promise<number | null> {
      const input = { markdown: order, heading: null };
      return (await threads.run("outline", input, { caller: "ada", sources: [], signal })).start;
    },
  };
}

const refusedWith = (detail: RegExp) => (error: unknown) =>
  error instanceof ApiError &&
  error.code === "unavailable" &&
  error.headers["retry-after"] === "1" &&
  detail.test(error.message);

/** Lets what has happened have its effects, and says whether the promise is still pending. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  for (let turn = 0; turn < 10; turn += 1) await setImmediate();
  const pending = Symbol("pending");
  return (await Promise.race([promise.catch(() => null), Promise.resolve(pending)])) === pending;
}

test("OPS-9: the deadline of a query does not count the start of its thread", async (t) => {
  const { ask, heard, letStart, errors } = setUp(t);
  const answer = ask();
  const thread = await heard("starting");
  t.mock.timers.tick(maxStartMs - 1);
  assert.ok(await isPending(answer), "it waits for the thread");
  letStart();
  assert.equal(await answer, thread);
  assert.deepEqual(errors, []);
});

test("OPS-9: a query that reaches its deadline ends with its thread, which is replaced before another query asks", async (t) => {
  const { ask, heard, letStart, errors } = setUp(t);
  const endless = assert.rejects(ask("never end"), refusedWith(/took too long/));
  const first = await heard("starting");
  letStart();
  await heard("working");
  t.mock.timers.tick(deadlineMs - 1);
  assert.ok(await isPending(endless));
  t.mock.timers.tick(1);
  await endless;
  assert.deepEqual(
    errors.map(({ message }) => message),
    ['the query "outline" was ended at its deadline of 6 s'],
  );
  const second = await heard("starting", 2);
  assert.notEqual(second, first);
  const answer = ask();
  t.mock.timers.tick(maxStartMs - 1);
  assert.ok(await isPending(answer), "the start of the other thread does not count either");
  letStart();
  assert.equal(await answer, second);
});

test("OPS-9: a thread that ends by itself during a query is replaced as well", async (t) => {
  const { ask, heard, letStart, errors } = setUp(t);
  const crashing = assert.rejects(ask("crash"), refusedWith(/failed/));
  await heard("starting");
  letStart();
  await crashing;
  assert.deepEqual(
    errors.map(({ message }) => message),
    ['the query "outline" ended its thread'],
  );
  const second = await heard("starting", 2);
  letStart();
  assert.equal(await ask(), second);
});

test("OPS-9: if no thread can start, queries are refused, and a later one tries again", async (t) => {
  const { ask, heard, letStart, errors } = setUp(t);
  const refused = assert.rejects(ask(), refusedWith(/cannot start/));
  await heard("starting");
  t.mock.timers.tick(maxStartMs);
  await refused;
  assert.deepEqual(
    errors.map(({ message }) => message),
    ["a thread for queries did not start within 60 s"],
  );
  const answer = ask();
  const second = await heard("starting", 2);
  letStart();
  assert.equal(await answer, second);
});

test("OPS-9: queries wait for their turn until the deadline, but a replaced thread's start does not count", async (t) => {
  const { ask, heard, letStart } = setUp(t);
  const endless = assert.rejects(ask("never end"), refusedWith(/took too long/));
  await heard("starting");
  letStart();
  await heard("working");
  t.mock.timers.tick(1);
  const waiting = ask();
  t.mock.timers.tick(deadlineMs - 1);
  await endless;
  const second = await heard("starting", 2);
  t.mock.timers.tick(maxStartMs - 1);
  assert.ok(await isPending(waiting));
  letStart();
  assert.equal(await waiting, second);

  const other = assert.rejects(ask("never end"), refusedWith(/took too long/));
  await heard("working", 3);
  const late = assert.rejects(ask(), refusedWith(/wait for too long/));
  t.mock.timers.tick(deadlineMs);
  await Promise.all([other, late]);
});

test("LIM-3: a caller who goes away frees the place of the query that waits", async (t) => {
  const { ask, heard, letStart, threads } = setUp(t);
  const gone = new AbortController();
  const first = ask("answer", gone.signal);
  await heard("starting");
  await assert.rejects(ask(), refusedWith(/Too many/));
  const left = assert.rejects(first, refusedWith(/Nobody waits/));
  gone.abort();
  await left;
  assert.equal(threads.counts().waiting, 0);
  await assert.rejects(ask("answer", gone.signal), refusedWith(/Nobody waits/));
  const answer = ask();
  letStart();
  assert.equal(await answer, await heard("working"));
});

test("a thread that was started before the first query answers it", async (t) => {
  const { ask, heard, letStart, threads } = setUp(t);
  threads.warmUp();
  threads.warmUp();
  const thread = await heard("starting");
  letStart();
  assert.equal(await ask(), thread);
});

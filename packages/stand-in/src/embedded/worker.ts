import { randomBytes } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { createCalls } from "./calls.ts";
import type { Sent, SentCall, ThreadData } from "./thread.ts";

// The thread of an embedded stand-in: it says that it is ready, then answers calls, each as it comes.

const { settings, now: startedAt } = workerData as ThreadData;
let now = startedAt;

const calls = await createCalls({
  ...settings,
  clock: () => now,
  random: randomBytes,
  log: {
    warn: (details, message) => send({ type: "log", level: "warn", details, message }),
    error: (details, message) => send({ type: "log", level: "error", details, message }),
  },
});

parentPort?.on("message", async ({ id, now: calledAt, name, input }: SentCall) => {
  now = calledAt;
  try {
    // `StandInThread.call` matches the input to the name.
    const call = calls[name] as (input: unknown) => unknown;
    send({ type: "result", id, value: await call(input) });
  } catch (error) {
    send({ type: "failure", id, error });
  }
});
send({ type: "ready" });

function send(sent: Sent): void {
  parentPort?.postMessage(sent);
}

import { randomBytes } from "node:crypto";
import { platform, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { createCalls } from "./calls.ts";
import type { Sent, SentCall, ThreadData } from "./thread.ts";

// The thread of an embedded stand-in: it says that it is ready, then answers calls, each as it comes.

const { settings, now: startedAt } = workerData as ThreadData;
let now = startedAt;

/** The niceness of this thread: where it competes for a core with one of niceness 0, it gets a quarter of the time. */
const niceness = 5;

// The program that it is inside comes first. Only Linux gives threads priorities of their own, and a sandbox may forbid it.
if (platform() === "linux") {
  try {
    setPriority(0, niceness);
  } catch {}
}

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

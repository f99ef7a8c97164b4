import { parentPort } from "node:worker_threads";
import { UnreadableError } from "./json.ts";
import { textTasks } from "./parse-text.ts";
import type { Outcome, TextOrder } from "./text-parser.ts";

/** The thread of `createTextParser`: says that it is there, and then does what it is sent, one after the other. */
parentPort?.on("message", (order: TextOrder) => parentPort?.postMessage(outcomeOf(order)));
parentPort?.postMessage("ready");

function outcomeOf({ name, input, demoUrl }: TextOrder): Outcome {
  try {
    const dialect = { demoUrl: demoUrl === null ? null : new URL(demoUrl) };
    // The task's name and its input come from one call of `parse`, whose types hold them together.
    const task = textTasks[name] as (input: unknown, of: typeof dialect) => unknown;
    return { value: task(input, dialect) };
  } catch (error) {
    return { failure: error instanceof UnreadableError ? error.message : null };
  }
}

import { parentPort } from "node:worker_threads";
import { UnreadableError } from "./json.ts";
import type { TextOrder, TextOutcome } from "./text-parser.ts";
import { textTasks } from "./text-tasks.ts";

/** The worker thread of `createTextParser`. It says that it is ready, then runs what it is sent, one after another. */
parentPort?.on("message", (order: TextOrder) => parentPort?.postMessage(outcomeOf(order)));
parentPort?.postMessage("ready");

function outcomeOf({ name, input, demoUrl }: TextOrder): TextOutcome {
  try {
    const dialect = { demoUrl: demoUrl === null ? null : new URL(demoUrl) };
    // Name and input come from one call of `parse`, whose types match them.
    const task = textTasks[name] as (input: unknown, of: typeof dialect) => unknown;
    return { value: task(input, dialect) };
  } catch (error) {
    return { failure: error instanceof UnreadableError ? error.message : null };
  }
}

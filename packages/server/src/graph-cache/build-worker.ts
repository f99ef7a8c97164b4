import { parentPort, workerData } from "node:worker_threads";
import { readGraphRows } from "../store/graph-rows.ts";
import { type BuildOrder, type BuildOutcome, columnsOf } from "./builder.ts";
import { sentError } from "./threads/errors.ts";

// A thread that builds one graph in memory that threads share, and ends.

// `createBuilder` starts this thread with an order.
const { location, connectionId } = workerData as BuildOrder;

async function build(): Promise<BuildOutcome> {
  try {
    return await readGraphRows(location, connectionId, columnsOf);
  } catch (error) {
    return { error: sentError(error) };
  }
}

parentPort?.postMessage(await build());

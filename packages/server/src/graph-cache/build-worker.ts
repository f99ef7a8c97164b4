import { parentPort, workerData } from "node:worker_threads";
import { buffersOf } from "@clew/graph";
import { type BuildOrder, storedColumns } from "./stored-columns.ts";

// A thread that builds one graph, hands its memory over without copying it, and ends.

// `createBuilder` starts this thread, with an order.
const built = storedColumns(workerData as BuildOrder);
parentPort?.postMessage(built, buffersOf(built.columns));

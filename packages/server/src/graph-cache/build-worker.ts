import { parentPort, workerData } from "node:worker_threads";
import { readGraphRows } from "../store/graph-rows.ts";
import { type BuildOrder, columnsOf } from "./builder.ts";

// A thread that builds one graph in memory that threads share, and ends.

// `createBuilder` starts this thread with an order.
const { location, connectionId } = workerData as BuildOrder;
parentPort?.postMessage(await readGraphRows(location, connectionId, columnsOf));

import { parentPort, workerData } from "node:worker_threads";
import { buffersOf } from "@clew/graph";
import { readGraphRows } from "../store/graph-rows.ts";
import { type BuildOrder, columnsOf } from "./builder.ts";

// A thread that builds one graph, hands over its memory without copying it, and ends.

// `createBuilder` starts this thread with an order.
const { location, connectionId } = workerData as BuildOrder;
const built = readGraphRows(location, connectionId, columnsOf);
parentPort?.postMessage(built, buffersOf(built.columns));

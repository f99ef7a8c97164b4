import { parentPort } from "node:worker_threads";
import { runTextTask, type TextOrder } from "./text-tasks.ts";

/** The worker thread of `createTextParser`. It says that it is ready, then runs what it is sent, one after another. */
parentPort?.on("message", (order: TextOrder) => parentPort?.postMessage(runTextTask(order)));
parentPort?.postMessage("ready");

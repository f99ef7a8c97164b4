import { parentPort, workerData } from "node:worker_threads";
import { serveWorkspace } from "../../packages/server/src/sync/testing/syncing.ts";

/**
 * Serves the folder in `workerData` as a provider, and tells the address. In a thread of its own it takes no time from
 * what is measured.
 */
const { url } = await serveWorkspace(workerData, { followFolder: false });
parentPort?.postMessage(url);

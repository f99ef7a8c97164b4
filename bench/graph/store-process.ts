import { parseLocation } from "../../packages/server/src/model/database-location.ts";
import { tell } from "./measure.ts";
import { shapeOf } from "./workspace/shape.ts";
import { storeWorkspace } from "./workspace/store.ts";
import { makeWorkspace } from "./workspace/workspace.ts";

// Writes a workspace into a new database, and reports its shape.
const [url = "", seed = "1", size = "1000"] = process.argv.slice(2);
const began = performance.now();
const workspace = makeWorkspace(Number(seed), Number(size));
const made = performance.now();
await storeWorkspace(workspace, parseLocation(url), "bench");
tell({ makeMs: made - began, storeMs: performance.now() - made, shape: shapeOf(workspace) });

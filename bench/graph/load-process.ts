import { Graphs } from "../../packages/server/src/graphs/graphs.ts";
import { parseLocation } from "../../packages/server/src/model/database-location.ts";
import { openDatabase } from "../../packages/server/src/store/database.ts";
import { findConnection } from "../../packages/server/src/store/queries/connections.ts";
import { residentBytes, tell } from "./measure.ts";

// Loads a workspace from its database as Clew does, and reports what that takes.
const [url = ""] = process.argv.slice(2);

const database = await openDatabase({ location: parseLocation(url) });
const connection = await findConnection(database.read, 1);
if (connection === null) throw new Error("The database has no connection.");
const empty = await residentBytes();
let peak = empty;
const watch = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 50);
const [began, cpuBefore] = [performance.now(), process.cpuUsage()];
const { graph } = await new Graphs({ database, clock: Date.now }).current(connection);
const loadMs = performance.now() - began;
const { user, system } = process.cpuUsage(cpuBefore);
clearInterval(watch);
if (graph.nodeCount === 0) throw new Error("The graph is empty.");
await database.close();
tell({ loadMs, cpuMs: (user + system) / 1000, peakBytes: Math.max(peak, process.memoryUsage.rss()) - empty });

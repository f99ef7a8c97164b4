import { mkdtemp, rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { Graphs } from "../../packages/server/src/graphs/graphs.ts";
import { openDatabase } from "../../packages/server/src/store/database.ts";
import { findConnection } from "../../packages/server/src/store/queries/connections.ts";
import { storeWorkspace } from "./workspace/store.ts";
import { makeWorkspace } from "./workspace/workspace.ts";

/**
 * Measures graphs that are not in memory, as after a restart: `GRAPHS=20 PAGES=2000 npm run bench cold`. Each graph is of a person
 * of its own, and they are asked for one after the other.
 */
const graphs = Number(process.env.GRAPHS ?? 20);
const pages = Number(process.env.PAGES ?? 2_000);

const folder = await mkdtemp(join(tmpdir(), "clew-bench-"));
try {
  const location = { kind: "sqlite", path: join(folder, "clew.db") } as const;
  const stored: number[] = [];
  for (let number = 0; number < graphs; number += 1) {
    const workspace = makeWorkspace(number + 1, pages);
    stored.push((await storeWorkspace(workspace, location, "bench", number)).connectionId);
  }
  const database = await openDatabase({ location });
  const served = new Graphs({ database, clock: Date.now });
  const each: { readonly cpuMs: number; readonly wallMs: number }[] = [];
  for (const id of stored) {
    const connection = await findConnection(database.read, id);
    if (connection === null) throw new Error("The connection is gone.");
    const [began, before] = [performance.now(), process.cpuUsage()];
    const { graph } = await served.current(connection);
    const { user, system } = process.cpuUsage(before);
    if (graph.nodeCount !== pages) throw new Error(`The graph has ${graph.nodeCount} pages.`);
    each.push({ cpuMs: (user + system) / 1000, wallMs: performance.now() - began });
  }
  await served.close();
  await database.close();
  const [first, ...later] = each;
  const median = (pick: (one: (typeof each)[number]) => number) =>
    later
      .map(pick)
      .toSorted((one, other) => one - other)
      [Math.floor(later.length / 2)]?.toFixed(0);
  console.log(`${graphs} graphs of ${pages} pages, ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}`);
  console.log(
    `first: ${first?.cpuMs.toFixed(0)} ms of processor time, ${first?.wallMs.toFixed(0)} ms in all`,
  );
  console.log(
    `later, median: ${median(({ cpuMs }) => cpuMs)} ms of processor time, ${median(({ wallMs }) => wallMs)} ms in all`,
  );
} finally {
  await rm(folder, { recursive: true });
}

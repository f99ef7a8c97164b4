import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { writeWorkspace } from "@clew/stand-in/testing";
import { openSyncing } from "../../packages/server/src/sync/testing/syncing.ts";

/** Measures syncs that find nothing on SQLite: `PAGES=2000 npm run bench idle`. The provider is in a thread of its own. */
const pages = Number(process.env.PAGES ?? 2_000);
const seed = Number(process.env.SEED ?? 1);
const runs = Number(process.env.RUNS ?? 25);

const folder = await mkdtemp(join(tmpdir(), "clew-bench-"));
const directory = join(folder, "pages");
await writeWorkspace(directory, { seed, pages });
const provider = new Worker(new URL("provider-worker.ts", import.meta.url), { workerData: directory });
const apiUrl = String(await once(provider, "message"));
const syncing = await openSyncing({
  location: { kind: "sqlite", path: join(folder, "clew.db") },
  apiUrl,
  key: randomBytes(32),
  lookEveryMs: 100,
});
try {
  const { id } = await syncing.connect();
  await syncing.run(id);
  await syncing.run(id);
  const each: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const before = process.threadCpuUsage();
    const { report } = await syncing.run(id);
    const { user, system } = process.threadCpuUsage(before);
    each.push((user + system) / 1000);
    if (report.outcome !== "complete" || report.fetched !== 0) throw new Error(JSON.stringify(report));
  }
  const sorted = each.toSorted((one, other) => one - other);
  console.log(`${pages} pages, ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}`);
  console.log(each.map((ms) => ms.toFixed(0)).join(" "));
  console.log(`median ${sorted[Math.floor(runs / 2)]?.toFixed(1)} ms of processor time of the main thread`);
} finally {
  await syncing.close();
  await provider.terminate();
  await rm(folder, { recursive: true });
}

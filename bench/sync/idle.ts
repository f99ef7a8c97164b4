import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { writeWorkspace } from "@clew/stand-in/testing";
import { pino } from "pino";
import { everybody } from "../../packages/server/src/model/testing/allow-lists.ts";
import { Sources } from "../../packages/server/src/providers/sources.ts";
import { Looks } from "../../packages/server/src/sync/looks/looks.ts";
import { openSyncing } from "../../packages/server/src/sync/testing/syncing.ts";

/**
 * Measures syncs that find nothing, and looks without news, on SQLite: `PAGES=2000 npm run bench idle`. The provider is in a
 * thread of its own.
 */
const pages = Number(process.env.PAGES ?? 2_000);
const seed = Number(process.env.SEED ?? 1);
const runs = Number(process.env.RUNS ?? 25);

/** Looks before those that are measured. */
const warmUps = 20;

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
  console.log(`${pages} pages, ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}`);
  print("whole listings", each);
  print("looks", await measureLooks(runs));
} finally {
  await syncing.close();
  await provider.terminate();
  await rm(folder, { recursive: true });
}

/** Milliseconds of processor time of each look, with what an instance does in the minute of it to share the looks. */
async function measureLooks(count: number): Promise<number[]> {
  const { database, provider, secrets, sync } = syncing;
  let now = Date.now();
  let wake = () => {};
  const looked = { end: (_outcome: string) => {} };
  const looks = new Looks({
    database,
    sources: new Sources(provider),
    secrets,
    sync,
    edits: sync,
    allowed: everybody,
    clock: () => now,
    log: pino({ level: "silent" }),
    random: randomBytes,
    sleep: (_milliseconds, signal) =>
      new Promise((resolve) => {
        wake = resolve;
        signal.addEventListener("abort", () => resolve(), { once: true });
      }),
    onLooked: (outcome) => looked.end(outcome),
  });
  looks.start();
  const each: number[] = [];
  for (let made = -warmUps; made < count; made += 1) {
    await setTimeout(20);
    const ended = new Promise<string>((resolve) => {
      looked.end = resolve;
    });
    const before = process.threadCpuUsage();
    now += 60_000;
    wake();
    const outcome = await ended;
    const { user, system } = process.threadCpuUsage(before);
    if (outcome !== "quiet") throw new Error(outcome);
    if (made >= 0) each.push((user + system) / 1000);
  }
  await looks.stop();
  return each;
}

function print(what: string, each: readonly number[]): void {
  const sorted = each.toSorted((one, other) => one - other);
  console.log(`${what}: ${each.map((ms) => ms.toFixed(1)).join(" ")}`);
  const median = sorted[Math.floor(each.length / 2)]?.toFixed(1);
  console.log(`${what}: median ${median} ms of processor time of the main thread`);
}

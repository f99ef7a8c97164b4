import { mkdtemp, rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { newDatabase } from "../../scripts/postgres.ts";
import { runAlone } from "./child.ts";
import { count, duration, megabytes, table } from "./figures.ts";

/**
 * Loads the graph of one workspace from SQLite and from PostgreSQL, in processes of their own: `SIZE=1000000 npm run
 * bench graph-postgres`. Rounds alternate, and the shortest counts.
 */
const size = Number(process.env.SIZE ?? 100_000);
const seed = process.env.SEED ?? "1";
const rounds = Number(process.env.ROUNDS ?? 2);

/** The longest that a million pages should take, in seconds. */
const aim = 15;

interface Load {
  readonly loadMs: number;
  /** Of the whole process, threads included. */
  readonly cpuMs: number;
  /** The largest memory of the process during the load, less that before it. */
  readonly peakBytes: number;
}

const folder = await mkdtemp(join(tmpdir(), "clew-bench-"));
const server = await newDatabase();
try {
  const backends = [
    ["SQLite", `sqlite:${join(folder, "clew.db")}`],
    ["PostgreSQL", server.url],
  ] as const;
  for (const [, url] of backends) await run("store-process.ts", url);
  const loads = new Map<string, Load>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, url] of backends) {
      const load = await run<Load>("load-process.ts", url);
      if (load.loadMs < (loads.get(name)?.loadMs ?? Number.POSITIVE_INFINITY)) loads.set(name, load);
    }
  }
  console.log(
    `${count(size)} pages, ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}; a million pages should take ${aim} s\n`,
  );
  const rows = [...loads].map(([name, { loadMs, cpuMs, peakBytes }]) => [
    name,
    duration(loadMs * 1000),
    duration(cpuMs * 1000),
    megabytes(peakBytes),
  ]);
  console.log(table(["", "load", "Clew's processor time", "memory at most"], rows));
} finally {
  await rm(folder, { recursive: true });
  await server.stop();
}

async function run<Result>(file: string, url: string): Promise<Result> {
  const hour = 3_600_000;
  const { messages, failure } = await runAlone(file, [url, seed, String(size)], {
    limitMs: hour,
    silenceMs: hour,
  });
  if (failure !== null) throw new Error(`${file}: ${failure}`);
  // The message has this type: the code that sends it is in this folder.
  return messages[0] as Result;
}

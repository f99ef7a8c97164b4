import { randomBytes } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { writeWorkspace } from "@clew/stand-in/testing";
import pg from "pg";
import { newDatabase } from "../../scripts/postgres.ts";
import type { Settings } from "../../test/support/clew-process.ts";
import { settingsFor, startNotion } from "../../test/support/notion.ts";
import { clientOf, signIn, waitForSync } from "../../test/support/session.ts";
import { openStage, type Stage } from "../../test/support/stage.ts";
import { count, megabytes, table } from "../graph/figures.ts";
import { cpuSeconds, memoryOf } from "../process-usage.ts";

/**
 * Measures what an operator has to provide for a workspace: memory, disk and the time of the first sync, of a whole server in
 * a process of its own. The provider is in this process: `PAGES=1000,10000 npm run bench sizing`. Clew keeps to the provider's
 * 180 calls a minute, so that 10 000 pages take an hour, and it waits most of that time.
 */
const sizes = (process.env.PAGES ?? "1000,10000").split(",").map(Number);
const databases = (process.env.DATABASES ?? "sqlite,postgres").split(",");
const seed = Number(process.env.SEED ?? 1);

/** A database for one Clew: its settings, and the bytes that it takes, with the text index apart where it is a file. */
interface Place {
  readonly settings: Settings;
  bytes(): Promise<{ readonly database: number; readonly index: number | null }>;
}

interface Figures {
  readonly atStart: number;
  readonly peak: number;
  readonly atRest: number;
  readonly syncMs: number;
  readonly processorSeconds: number;
  readonly calls: number;
  readonly disk: { readonly database: number; readonly index: number | null };
  readonly textBytes: number;
}

console.log(`${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}, seed ${seed}\n`);
for (const pages of sizes) for (const database of databases) await print(pages, database);

async function print(pages: number, database: string): Promise<void> {
  const stage = await openStage();
  try {
    const { disk, ...figures } = await measure(stage, pages, database);
    console.log(
      table(
        [`${count(pages)} pages, ${database}`, `load ${loadavg()[0]?.toFixed(1)}`],
        [
          ["text of the pages, with front matter", megabytes(figures.textBytes)],
          ["memory after the start", megabytes(figures.atStart)],
          ["memory at the peak of the first sync", megabytes(figures.peak)],
          ["memory at rest, a minute later", megabytes(figures.atRest)],
          ["database", megabytes(disk.database)],
          ["text index", disk.index === null ? "in the database" : megabytes(disk.index)],
          ["calls to the provider", count(figures.calls)],
          ["first sync, until all texts can be found", `${(figures.syncMs / 60_000).toFixed(1)} min`],
          ["processor time of the server for that", `${figures.processorSeconds.toFixed(0)} s`],
        ],
      ),
      "\n",
    );
  } finally {
    await stage.close();
  }
}

async function measure(stage: Stage, pages: number, database: string): Promise<Figures> {
  const directory = join(stage.folder, "pages");
  await writeWorkspace(directory, { seed, pages });
  const notion = await startNotion(stage, directory, { followFolder: false, rateLimit: 0 });
  const place = await (database === "sqlite" ? embedded(stage) : onServer(stage));
  // As `bin/clew` sets it.
  const allocator = { MALLOC_MMAP_THRESHOLD_: "73728" };
  const clew = await stage.start({
    ...settingsFor(notion),
    ...place.settings,
    ...allocator,
    LOG_LEVEL: "error",
  });
  const { resident: atStart } = memoryOf(clew.pid);
  notion.resetCalls();
  const began = performance.now();
  const session = await signIn(clew.url);
  await waitForSync(clew.url, session);
  const client = clientOf(clew.url, session);
  while ((await client.searchTexts({ q: "plan", limit: 1 })).indexed < 1) await sleep(500);
  const syncMs = performance.now() - began;
  const processorSeconds = cpuSeconds(clew.pid);
  const calls = Object.values(notion.calls()).reduce((sum, each) => sum + each, 0);
  const { peak } = memoryOf(clew.pid);
  await sleep(60_000);
  const { resident: atRest } = memoryOf(clew.pid);
  const disk = await place.bytes();
  const textBytes = await bytesBelow(directory);
  return { atStart, peak, atRest, syncMs, processorSeconds, calls, disk, textBytes };
}

async function embedded(stage: Stage): Promise<Place> {
  const folder = join(stage.folder, "data");
  const sizeOf = async (start: string) => {
    const names = (await readdir(folder)).filter(
      (name) => name.startsWith(start) && !name.endsWith(".reserve"),
    );
    return sum(await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size)));
  };
  return {
    settings: { DATA_DIR: folder },
    bytes: async () => ({ database: await sizeOf("clew.db"), index: await sizeOf("text-index.db") }),
  };
}

async function onServer(stage: Stage): Promise<Place> {
  const server = await newDatabase();
  stage.defer(() => server.stop());
  const size = async () => {
    const client = new pg.Client(server.url);
    await client.connect();
    try {
      const { rows } = await client.query<{ size: string }>(
        "select pg_database_size(current_database()) size",
      );
      return Number(rows[0]?.size);
    } finally {
      await client.end();
    }
  };
  return {
    settings: { DATABASE_URL: server.url, ENCRYPTION_KEY: randomBytes(32).toString("base64") },
    bytes: async () => ({ database: await size(), index: null }),
  };
}

async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  let bytes = 0;
  for (const { parentPath, name } of files) bytes += (await stat(join(parentPath, name))).size;
  return bytes;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

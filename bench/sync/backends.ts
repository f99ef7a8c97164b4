import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { writeWorkspace } from "@clew/stand-in/testing";
import type { DatabaseLocation } from "../../packages/server/src/model/database-location.ts";
import { countStatements } from "../../packages/server/src/store/testing/count-statements.ts";
import { wrapWrites } from "../../packages/server/src/store/testing/wrap-writes.ts";
import { openSyncing } from "../../packages/server/src/sync/testing/syncing.ts";
import { TextIndex } from "../../packages/server/src/texts/text-index.ts";
import { newDatabase } from "../../scripts/postgres.ts";

/**
 * Compares the time for which first syncs have a transaction under way on PostgreSQL and on SQLite, and with that of the
 * text index: `PAGES=1000 npm run bench sync-postgres`. Rounds alternate, and the median of their ratios counts.
 */
const pages = Number(process.env.PAGES ?? 1_000);
const seed = Number(process.env.SEED ?? 1);
const rounds = Number(process.env.ROUNDS ?? 3);

interface Figures {
  /** While a transaction was under way. */
  readonly writeMs: number;
  readonly textMs: number;
  readonly transactions: number;
  /** Those of transactions, without `begin` and `commit`. */
  readonly statements: number;
}

const folder = await mkdtemp(join(tmpdir(), "clew-bench-"));
const server = await newDatabase();
try {
  const directory = join(folder, "pages");
  await writeWorkspace(directory, { seed, pages });
  const provider = new Worker(new URL("provider-worker.ts", import.meta.url), { workerData: directory });
  const apiUrl = String(await once(provider, "message"));
  const measured: { sqlite: Figures; postgres: Figures }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const sqlite = await measure({ kind: "sqlite", path: join(folder, `${round}.sqlite`) }, apiUrl);
    measured.push({ sqlite, postgres: await measure({ kind: "postgres", url: server.url }, apiUrl) });
  }
  await provider.terminate();
  const model = cpus()[0]?.model;
  console.log(`${pages} pages, ${model}, load ${loadavg()[0]?.toFixed(1)}, ${rounds} rounds\n`);
  console.log("| | SQLite | PostgreSQL | ratio | aim |\n|---|---:|---:|---:|---:|");
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
  const each = (count: number) => (count / pages).toFixed(2);
  const lines: readonly [string, (figures: Figures) => number, (figure: number) => string, number | ""][] = [
    ["time with a transaction under way", ({ writeMs }) => writeMs, seconds, 2],
    ["the same and the text index", ({ writeMs, textMs }) => writeMs + textMs, seconds, 4],
    ["transactions per page", ({ transactions }) => transactions, each, ""],
    ["statements per page", ({ statements }) => statements, each, ""],
  ];
  for (const [name, pick, show, aim] of lines) {
    const ratio = ({ sqlite, postgres }: (typeof measured)[number]) => pick(postgres) / pick(sqlite);
    const median = measured.toSorted((one, other) => ratio(one) - ratio(other))[Math.floor(rounds / 2)];
    if (median === undefined) throw new Error("No round was measured.");
    const cells = [
      name,
      show(pick(median.sqlite)),
      show(pick(median.postgres)),
      ratio(median).toFixed(2),
      aim,
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
} finally {
  await rm(folder, { recursive: true });
  await server.stop();
}

/** A first sync of a new connection. */
async function measure(location: DatabaseLocation, apiUrl: string): Promise<Figures> {
  let counts: readonly number[] = [];
  let writeMs = 0;
  let underWay = 0;
  let since = 0;
  const syncing = await openSyncing({
    location,
    apiUrl,
    key: randomBytes(32),
    // Each look is a statement, which would take time from the transaction under way on PostgreSQL.
    lookEveryMs: 100,
    wrapDatabase(database) {
      const counting = countStatements(database);
      counts = counting.counts;
      return wrapWrites(counting.database, async (write) => {
        if (underWay === 0) since = performance.now();
        underWay += 1;
        try {
          return await write();
        } finally {
          underWay -= 1;
          if (underWay === 0) writeMs += performance.now() - since;
        }
      });
    },
  });
  const texts = new TextIndex({ database: syncing.database, log: console });
  try {
    const { id } = await syncing.connect();
    const { report } = await syncing.run(id);
    if (report.outcome !== "complete") throw new Error(JSON.stringify(report));
    const began = performance.now();
    await texts.update(id);
    const textMs = performance.now() - began;
    await syncing.database.transaction((trx) => trx.deleteFrom("connections").where("id", "=", id).execute());
    const statements = counts.reduce((sum, count) => sum + count, 0);
    return { writeMs, textMs, transactions: counts.length, statements };
  } finally {
    await texts.close();
    await syncing.close();
  }
}

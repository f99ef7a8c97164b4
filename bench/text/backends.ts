import { mkdtemp, rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseLocation } from "../../packages/server/src/model/database-location.ts";
import { openDatabase } from "../../packages/server/src/store/database.ts";
import { newDatabase } from "../../scripts/postgres.ts";
import { duration, table, timing } from "../graph/figures.ts";
import { time } from "../graph/measure.ts";
import { buildClewIndex, ClewIndex } from "./clew-index.ts";
import { queryKinds, seedOfTexts, someQueries } from "./queries.ts";

/**
 * Builds the text index of one made-up workspace on SQLite and on PostgreSQL, and asks both the same questions:
 * `PAGES=100000 npm run bench text-postgres`. Times are those that pass, as most of them is waiting for the server.
 */
const pages = Number(process.env.PAGES ?? 10_000);

const folder = await mkdtemp(join(tmpdir(), "clew-bench-"));
const server = await newDatabase();
try {
  const sqlite = await build({ kind: "sqlite", path: join(folder, "clew.db") });
  const postgres = await build({ kind: "postgres", url: server.url });
  const rows: string[][] = [];
  for (const kind of queryKinds) {
    const questions = {
      measured: someQueries(seedOfTexts, pages, kind, 1),
      warmUp: someQueries(seedOfTexts, pages, kind, 2),
    };
    const ask = (index: ClewIndex) => time(questions, (question) => index.search(question, 10));
    rows.push([kind, timing(await ask(sqlite)), timing(await ask(postgres))]);
  }
  console.log(
    `\n${pages} pages, ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}; median · p99 · longest\n`,
  );
  console.log(table(["question", "SQLite", "PostgreSQL"], rows));
  await sqlite.close();
  await postgres.close();
} finally {
  await rm(folder, { recursive: true });
  await server.stop();
}

async function build(location: DatabaseLocation): Promise<ClewIndex> {
  await (await openDatabase({ location })).close();
  const began = performance.now();
  await buildClewIndex(location, seedOfTexts, pages);
  console.log(`built in ${duration((performance.now() - began) * 1000)}`);
  const index = await ClewIndex.open(location, pages);
  if (index === null) throw new Error("there is no index");
  return index;
}

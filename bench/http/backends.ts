import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { parseLocation } from "../../packages/server/src/model/database-location.ts";
import { newDatabase } from "../../scripts/postgres.ts";
import { type ClewProcess, startClew } from "../../test/support/clew-process.ts";
import { signIn } from "../../test/support/session.ts";
import { fillDatabase, largeRows } from "./large.ts";
import { type Measurement, measure, type Row } from "./load.ts";
import { pin } from "./pin.ts";
import { sampleRows } from "./targets.ts";

/**
 * Compares the requests per second of one instance on PostgreSQL with those of one on SQLite, at the same concurrency. Clew
 * runs on one core, the load generator on another; PostgreSQL runs on both. Rounds alternate, and the median of their ratios
 * counts.
 */
const rounds = Number(process.env.ROUNDS ?? 3);
const seconds = Number(process.env.SECONDS ?? 5);
const warmUp = Number(process.env.WARM_UP ?? 5);
const connections = Number(process.env.CONNECTIONS ?? 16);
/** Pages of a generated workspace; the sample workspace if it is not set. */
const pages = Number(process.env.PAGES ?? 0);
const wanted = process.env.ONLY?.split(",");

/** The share of SQLite's requests per second that PostgreSQL should reach. */
const aim = 0.5;

interface Backend {
  readonly clew: ClewProcess;
  readonly rows: readonly Row[];
}

const server = await newDatabase();
const folder = await mkdtemp(join(tmpdir(), "clew-bench-"));
const started: ClewProcess[] = [];
const statistics = new pg.Client(server.url);
await statistics.connect();
try {
  const sqlite = await start("sqlite", `sqlite:${join(folder, "clew.db")}`);
  const postgres = await start("postgres", server.url);
  pin(process.pid, 1);
  const load = loadavg()[0]?.toFixed(1);
  console.log(
    `${cpus()[0]?.model}, load ${load}, ${connections} connections, ${rounds} × ${seconds} s, ${pages || "sample"} pages\n`,
  );
  console.log(
    "| operation | questions | SQLite, requests/s | PostgreSQL, requests/s | ratio | aim | transactions per request | p99 ms, SQLite · PostgreSQL |",
  );
  console.log("|---|---|---:|---:|---:|---:|---:|---:|");
  for (const [index, row] of sqlite.rows.entries()) {
    const other = postgres.rows[index];
    if (other === undefined || !(wanted?.includes(row.operation) ?? true)) continue;
    console.log(await compare({ clew: sqlite.clew, row }, { clew: postgres.clew, row: other }));
  }
} finally {
  for (const clew of started) await clew.kill();
  await statistics.end();
  await rm(folder, { recursive: true });
  await server.stop();
}

async function start(name: string, url: string): Promise<Backend> {
  const large = pages > 0 ? await fillDatabase(parseLocation(url), pages) : null;
  const clew = await startClew({
    DATA_DIR: name === "sqlite" ? folder : join(folder, name),
    DATABASE_URL: url,
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    // One instance may serve the demo workspace from PostgreSQL.
    STAND_IN: "1",
    LOG_LEVEL: "silent",
    RATE_LIMIT_TOKEN: "0",
    RATE_LIMIT_SESSION: "0",
    SYNC_INTERVAL: "0",
  });
  started.push(clew);
  const rows = large ? await largeRows(clew.url, large) : await sampleRows(clew.url, await signIn(clew.url));
  pin(clew.pid, 0);
  return { clew, rows };
}

interface Target {
  readonly clew: ClewProcess;
  readonly row: Row;
}

async function compare(sqlite: Target, postgres: Target): Promise<string> {
  const ask = ({ clew, row }: Target, duration: number) =>
    measure({ urls: row.urls, token: row.token, pid: clew.pid }, { connections, seconds: duration });
  await ask(sqlite, warmUp);
  await ask(postgres, warmUp);
  const measured: { sqlite: Measurement; postgres: Measurement; transactions: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const own = await ask(sqlite, seconds);
    const before = await transactions();
    const other = await ask(postgres, seconds);
    const count = (await transactions()) - before;
    measured.push({
      sqlite: own,
      postgres: other,
      transactions: count / (other.requestsPerSecond * seconds),
    });
  }
  const ratioOf = (round: (typeof measured)[number]) =>
    round.postgres.requestsPerSecond / round.sqlite.requestsPerSecond;
  const median = measured.toSorted((one, other) => ratioOf(one) - ratioOf(other))[Math.floor(rounds / 2)];
  if (median === undefined) throw new Error("No round was measured.");
  const cells = [
    sqlite.row.operation,
    sqlite.row.asked,
    Math.round(median.sqlite.requestsPerSecond),
    Math.round(median.postgres.requestsPerSecond),
    ratioOf(median).toFixed(2),
    aim,
    median.transactions.toFixed(2),
    `${median.sqlite.p99} · ${median.postgres.p99}`,
  ];
  return `| ${cells.join(" | ")} |`;
}

/** Transactions of the database so far; a statement outside of transactions counts as one. */
async function transactions(): Promise<number> {
  // Servers report them once a second at most.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const { rows } = await statistics.query(
    "select xact_commit::float8 as count from pg_stat_database where datname = current_database()",
  );
  return rows[0].count;
}

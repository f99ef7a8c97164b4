import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Random, seededRandom } from "@clew/stand-in/testing/random";
import pg from "pg";
import { openSyncing, serveWorkspace } from "../../packages/server/src/sync/testing/syncing.ts";
import { startTestServer } from "../../scripts/postgres.ts";
import { count, table } from "../graph/figures.ts";
import { below, mix } from "../graph/workspace/random.ts";

/**
 * Measures what a workspace takes on PostgreSQL, fresh and after syncs that each find a tenth of its pages edited, by table:
 * `PAGES=2000 RUNS=20 npm run bench growth`. The server is durable and has its default settings, but looks for tables to
 * vacuum every second, and replaced segments of the text index count as old at once: minutes pass between syncs that people have.
 */
const pages = Number(process.env.PAGES ?? 2_000);
const runs = Number(process.env.RUNS ?? 20);
const share = Number(process.env.SHARE ?? 0.1);
const seed = Number(process.env.SEED ?? 1);
/** Seconds between two syncs; null for as long as replaced segments stay. */
const seconds = process.env.SECONDS ? Number(process.env.SECONDS) : null;

/** Characters of a page's text, without the paragraph that edits change: 2 500 with it. */
const pageChars = 2_200;
const linksPerPage = 6;

interface TableFigures {
  readonly name: string;
  readonly bytes: number;
  readonly dead: number;
  readonly updates: number;
  /** Updates that wrote no index entry. */
  readonly hot: number;
}

const random = seededRandom(seed);
const sentences = await readSentences();
const folder = await mkdtemp(join(tmpdir(), "clew-bench-"));
const server = await startTestServer({ isDurable: true });
const client = new pg.Client(await server.createDatabase("growth"));
await client.connect();
await client.query("alter system set autovacuum_naptime = '1s'");
await client.query("select pg_reload_conf()");
for (let page = 0; page < pages; page += 1) await writePage(page, 0);
const standIn = await serveWorkspace(folder, { followFolder: false });
const syncing = await openSyncing({
  location: { kind: "postgres", url: server.url.replace(/[^/]+$/, "growth") },
  apiUrl: standIn.url,
  key: randomBytes(32),
  lookEveryMs: 100,
  indexesTexts: true,
});
try {
  const { id } = await syncing.connect();
  console.log(`${count(pages)} pages, ${cpus()[0]?.model}, load ${loadavg()[0]}`);
  await sync(id);
  const fresh = await figures();
  for (let run = 1; run <= runs; run += 1) {
    const edited = new Set<number>();
    while (edited.size < share * pages) edited.add(below(random, pages));
    for (const page of edited) await writePage(page, run);
    await standIn.reload();
    await sync(id);
  }
  print(fresh, await figures());
  const segments = await client.query<{ live: string; dropped: string }>(
    "select count(*) filter (where dropped_at is null) as live, count(*) filter (where dropped_at is not null) as dropped from text_segments",
  );
  console.log(`segments: ${JSON.stringify(segments.rows[0])}`);
} finally {
  await syncing.close();
  await standIn.close();
  await client.end();
  await server.stop();
  await rm(folder, { recursive: true });
}

/**
 * Syncs and indexes, with time for merges of the text index and for the server to vacuum. Replaced segments count as old at once, unless
 * SECONDS says how long to wait instead.
 */
async function sync(id: number): Promise<void> {
  const { report } = await syncing.run(id);
  if (report.outcome !== "complete") throw new Error(JSON.stringify(report));
  await syncing.texts?.update(id);
  await pause(seconds === null ? 2_000 : seconds * 1000);
  if (seconds === null)
    await client.query("update text_segments set dropped_at = 0 where dropped_at is not null");
  await syncing.texts?.tend();
  await pause(2_000);
}

/** Writes a page. Its number determines the text but for a paragraph, which each run writes anew. */
async function writePage(page: number, run: number): Promise<void> {
  const words = seededRandom(mix(seed, page));
  const title = `Page ${page} ${sentence(words).slice(0, 30).trim()}`;
  const paragraphs = Array.from(
    { length: linksPerPage },
    () => `See [[p${below(words, pages)}]]. ${sentence(words)}`,
  );
  while (paragraphs.join("\n\n").length < pageChars)
    paragraphs.push(Array.from({ length: 3 }, () => sentence(words)).join(" "));
  const edits = seededRandom(mix(mix(seed, page), run));
  paragraphs.push(Array.from({ length: 3 }, () => sentence(edits)).join(" "));
  const updated = new Date(Date.UTC(2024, 0, 1) + run * 86_400_000).toISOString();
  const front = `title: ${JSON.stringify(title)}\nupdated: "${updated}"`;
  await writeFile(join(folder, `p${page}.md`), `---\n${front}\n---\n${paragraphs.join("\n\n")}\n`);
}

function sentence(words: Random): string {
  return sentences[below(words, sentences.length)] ?? "";
}

/** The sentences of Clew's own documentation: real English, whose words and compressibility are those of what people write. */
async function readSentences(): Promise<string[]> {
  const docs = new URL("../../docs/", import.meta.url);
  const found: string[] = [];
  for (const name of (await readdir(docs)).filter((each) => each.endsWith(".md")).sort()) {
    const text = await readFile(new URL(name, docs), "utf8");
    const prose = text.split("\n\n").filter((each) => /^[A-Z]/.test(each) && !each.includes("|"));
    found.push(
      ...prose
        .join(" ")
        .replaceAll(/[\s[\]`*]+/g, " ")
        .split(/(?<=[.:?]) (?=[A-Z])/),
    );
  }
  return found.filter((each) => each.length > 30 && each.length < 300);
}

async function figures(): Promise<ReadonlyMap<string, TableFigures>> {
  const { rows } = await client.query<Record<"name" | "bytes" | "dead" | "updates" | "hot", string>>(`
    select relname as name, pg_total_relation_size(relid) as bytes, n_dead_tup as dead, n_tup_upd as updates,
      n_tup_hot_upd as hot
    from pg_stat_user_tables order by bytes desc`);
  return new Map(
    rows.map(({ name, bytes, dead, updates, hot }) => [
      name,
      { name, bytes: Number(bytes), dead: Number(dead), updates: Number(updates), hot: Number(hot) },
    ]),
  );
}

function print(fresh: ReadonlyMap<string, TableFigures>, after: ReadonlyMap<string, TableFigures>): void {
  const perPage = (bytes: number) => `${(bytes / pages / 1000).toFixed(2)} kB`;
  const total = (of: ReadonlyMap<string, TableFigures>) =>
    [...of.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  const lines = [...after.values()]
    .filter(({ bytes }) => bytes >= 20 * pages)
    .map(({ name, bytes, dead, updates, hot }) => [
      name,
      perPage(fresh.get(name)?.bytes ?? 0),
      perPage(bytes),
      count(dead),
      count(updates),
      updates === 0 ? "" : `${Math.round((100 * hot) / updates)} %`,
    ]);
  lines.push(["all", perPage(total(fresh)), perPage(total(after)), "", "", ""]);
  console.log(table(["table", "fresh", `after ${runs} syncs`, "dead rows", "updates", "HOT"], lines));
  for (const name of ["connections", "sync_jobs"]) console.log(JSON.stringify(after.get(name)));
}

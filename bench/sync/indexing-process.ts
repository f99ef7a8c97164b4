import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { QueryThreads } from "../../packages/server/src/queries/query-threads.ts";
import { openSyncing, type Syncing } from "../../packages/server/src/sync/testing/syncing.ts";
import { type LongestTurn, watchTurns } from "./longest-turn.ts";

// Runs the first sync of a workspace and, if its texts are indexed, searches in them.

/** In milliseconds; all but `syncMs` are processor time. */
export interface IndexingFigures {
  readonly syncMs: number;
  readonly mainMs: number;
  /** With the index thread, until all texts can be found. */
  readonly processMs: number;
  /** The longest task of the main thread during searches; null if nothing is indexed. */
  readonly longestTurn: LongestTurn | null;
}

const [path = "", apiUrl = "", kind = ""] = process.argv.slice(2);
await mkdir(dirname(path));
const syncing = await openSyncing({
  location: { kind: "sqlite", path },
  apiUrl,
  key: randomBytes(32),
  indexesTexts: kind === "indexed",
});
const { id } = await syncing.connect();
// A server starts the index thread long before: its code is not loaded during a sync.
await syncing.texts?.tend([]);
const before = { main: process.threadCpuUsage(), all: process.cpuUsage() };
const began = performance.now();
await syncing.run(id);
const syncMs = performance.now() - began;
const mainMs = msOf(process.threadCpuUsage(before.main));
await syncing.texts?.update(id);
const processMs = msOf(process.cpuUsage(before.all));
const longestTurn = syncing.texts === null ? null : await searchAll(syncing);
const figures: IndexingFigures = { syncMs, mainMs, processMs, longestTurn };
process.send?.(figures);
await syncing.close();
process.disconnect();

function msOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

/** Searches for words of titles, first until the code is compiled. Returns the longest task of the main thread. */
async function searchAll({ database, graphs, connection, texts }: Syncing): Promise<LongestTurn> {
  const { graph } = await graphs.current(await connection(id));
  const snapshot = await texts?.open(id, graph.columns.ids);
  const { location } = database;
  const threads = new QueryThreads({ location, maxThreads: 2, onError: console.error });
  const sources = [{ connectionId: id, graph, ...(snapshot && { texts: snapshot }) }];
  const search = (query: string) => {
    const within = [{ filter: {}, after: null }];
    const input = { query, sort: "relevance", order: "desc", limit: 10, within } as const;
    return threads.run("text", input, { caller: "bench", sources });
  };
  const queries = Array.from({ length: 400 }, (_, node) => graph.nodeAt(node).title).filter((title) =>
    /\p{L}/u.test(title),
  );
  for (const query of queries) await search(query);
  globalThis.gc?.();
  const turns = watchTurns();
  for (const query of queries) await search(query);
  const longest = await turns.stop();
  await threads.close();
  return longest;
}

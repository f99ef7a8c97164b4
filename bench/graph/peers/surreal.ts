import { createNodeEngines } from "@surrealdb/node";
import { RecordId, Surreal } from "surrealdb";
import { joinedPages } from "../workspace/workspace.ts";
import type { GraphPeer } from "./peer.ts";

const database = new Surreal({ engines: createNodeEngines() });
const record = (page: number) => new RecordId("page", page);

/** Rows in one batch. */
const batch = 200;

/** Sends rows in batches. */
async function send(query: string, rows: Iterable<unknown>): Promise<void> {
  let waiting: unknown[] = [];
  const flush = async () => {
    await database.query(query, { rows: waiting });
    waiting = [];
  };
  for (const row of rows) {
    waiting.push(row);
    if (waiting.length === batch) await flush();
  }
  if (waiting.length > 0) await flush();
}

export const peer: GraphPeer = {
  async load(workspace) {
    await database.connect("mem://");
    await database.use({ namespace: "bench", database: "bench" });
    await database.query("DEFINE TABLE page; DEFINE TABLE edge TYPE RELATION IN page OUT page");
    const pages = Array.from({ length: workspace.size }, (_, id) => ({ id }));
    await send("INSERT INTO page $rows RETURN NONE", pages);
    const edges = joinedPages(workspace).map(([from, to]) => ({ in: record(from), out: record(to) }));
    await send("INSERT RELATION INTO edge $rows RETURN NONE", edges);
  },
  async neighbors(page, limit) {
    const query =
      "RETURN array::slice(array::distinct(array::concat($page->edge->page, $page<-edge<-page)), 0, $limit)";
    const [found] = await database.query(query, { page: record(page), limit });
    return Array.isArray(found) ? found.length : 0;
  },
  async path(from, to) {
    const query = "RETURN $from.{..30+shortest=$to}<->edge<->page";
    const [found] = await database.query(query, { from: record(from), to: record(to) });
    return Array.isArray(found) ? found.length : null;
  },
};

import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { buildColumns, Graph } from "@clew/graph";
import { parseQuery, searchTexts, viewOf } from "@clew/text-index";
import BetterSqlite3 from "better-sqlite3";
import { openTextReader } from "../../store/database.ts";
import type { Database } from "../../store/port.ts";
import { removeNodes, upsertNodes } from "../../store/queries/graph-pages.ts";
import { pathOf } from "../../store/testing/location.ts";
import { nodeId, page } from "../../store/testing/scratch.ts";
import { saveContent } from "../../store/testing/write-graph.ts";
import { TextIndex } from "../text-index.ts";
import type { TextSnapshot } from "../text-snapshots.ts";

/** The text index of a database, and what it logged. */
export interface IndexedTexts {
  readonly texts: TextIndex;
  readonly logged: string[];
  /** The index as a graph of the stored nodes sees it. */
  open(connectionId: number): Promise<TextSnapshot>;
  /** The numbers of the pages that a query finds, ascending. */
  find(connectionId: number, query: string, snapshot?: TextSnapshot): Promise<number[]>;
}

/** Opens the text index of a database as a new process does. */
export function openTexts(t: TestContext, database: Database): IndexedTexts {
  const logged: string[] = [];
  const write = (_about: unknown, message?: string) => void logged.push(message ?? "");
  const texts = new TextIndex({ database, log: { warn: write, error: write } });
  t.after(() => texts.close());

  const graphOf = async (connectionId: number) =>
    new Graph(await database.graphRows(connectionId, buildColumns));
  const open = async (connectionId: number) =>
    texts.open(connectionId, (await graphOf(connectionId)).columns.ids);

  return {
    texts,
    logged,
    open,
    async find(connectionId, text, given) {
      const graph = await graphOf(connectionId);
      const snapshot = given ?? (await open(connectionId));
      const query = parseQuery(text);
      const reader = await openTextReader(database.location);
      if (query === null || reader === null) throw new Error("there is nothing to search in");
      const result = await reader.snapshot((view) =>
        searchTexts(viewOf(snapshot.segments), view, query, {
          limit: 1000,
          ranks: graph.columns.ranks,
          byRelevance: true,
          after: null,
          accepts: null,
          maxEntries: 1_000_000,
          isOver: () => false,
        }),
      );
      await reader.close();
      return result.pages
        .map(({ node }) => Number(`0x${graph.nodeAt(node).id.slice(-6)}`))
        .sort((a, b) => a - b);
    },
  };
}

/** Writes pages with these texts, by number; null removes a page. */
export async function writeTexts(
  database: Database,
  connectionId: number,
  pages: Readonly<Record<number, string | null>>,
): Promise<void> {
  await database.transaction(async (trx) => {
    for (const [number, markdown] of Object.entries(pages)) {
      const id = nodeId(Number(number));
      if (markdown === null) {
        await removeNodes(trx, connectionId, [id], 1);
        continue;
      }
      await upsertNodes(trx, connectionId, [page(Number(number))]);
      await saveContent(trx, connectionId, id, { markdown, references: [], state: "ready" });
    }
  });
}

/** The file of a database's text index (SQLite). */
export const indexFile = (database: Database): string =>
  join(dirname(pathOf(database.location)), "text-index.db");

/** Keeps the text index of a database from being written (SQLite), until the returned function is called. */
export function lockIndex(t: TestContext, database: Database): () => void {
  const file = new BetterSqlite3(indexFile(database));
  t.after(() => file.close());
  file.exec("begin immediate");
  return () => void file.exec("commit");
}

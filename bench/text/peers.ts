import { rmSync, statSync } from "node:fs";
import type { PageSource } from "@clew/text-index";
import BetterSqlite3 from "better-sqlite3";

/** The programs that Clew's text search is compared with. */
export interface TextPeer {
  add(page: number, source: PageSource): void;
  /** Called once, when all pages were added. Returns the bytes of the index; null if it is not in a file. */
  finish(): number | null;
  search(query: string, limit: number): number;
}

/** Opens each peer. README.md says which of them cannot answer a kind of question, and why. */
export const peers: Readonly<Record<string, (path: string) => Promise<TextPeer>>> = {
  "fts5-words": async (path) => fts5(path, "unicode61 remove_diacritics 2"),
  "fts5-trigrams": async (path) => fts5(path, "trigram remove_diacritics 1"),
  minisearch,
};

/** FTS5 without the texts themselves, ranked by its own BM25. */
function fts5(path: string, tokenizer: string): TextPeer {
  rmSync(path, { force: true });
  const file = new BetterSqlite3(path);
  file.pragma("journal_mode = wal");
  file.pragma("synchronous = off");
  file.exec(`create virtual table texts using fts5(title, body, content = '', tokenize = '${tokenizer}')`);
  const insert = file.prepare("insert into texts (rowid, title, body) values (?, ?, ?)");
  const select = file.prepare<[string, number]>(
    "select rowid from texts where texts match ? order by rank limit ?",
  );
  file.exec("begin");
  return {
    add: (page, { title, markdown }) => insert.run(page + 1, title, markdown),
    finish() {
      file.exec("insert into texts (texts) values ('optimize'); commit");
      file.pragma("wal_checkpoint(truncate)");
      return statSync(path).size;
    },
    search: (query, limit) => select.all(asFts5(query), limit).length,
  };
}

/** Words are joined by OR, as in Clew; phrases and prefixes have the same signs. */
function asFts5(query: string): string {
  const words = query.match(/"[^"]*"|\S+/g) ?? [];
  const quoted = (word: string) => (word.endsWith("*") ? `"${word.slice(0, -1)}"*` : `"${word}"`);
  return words.map((word) => (word.startsWith('"') ? word : quoted(word))).join(" OR ");
}

async function minisearch(): Promise<TextPeer> {
  const { default: MiniSearch } = await import("minisearch");
  const index = new MiniSearch({
    fields: ["title", "body"],
    searchOptions: { prefix: false, fuzzy: false, combineWith: "OR" },
  });
  return {
    add: (id, { title, markdown }) => index.add({ id, title, body: markdown }),
    finish: () => null,
    search(query, limit) {
      const prefix = query.endsWith("*");
      return index.search(query, { prefix }).slice(0, limit).length;
    },
  };
}

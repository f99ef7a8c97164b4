import BetterSqlite3 from "better-sqlite3";
import { titleOf } from "../workspace/titles.ts";
import type { TitlePeer } from "./peer.ts";

const file = new BetterSqlite3(":memory:");
file.exec("create virtual table titles using fts5(title, tokenize = 'trigram remove_diacritics 1')");

// Words of three letters and more are looked up in the index. Shorter words have no trigram, so titles are scanned for them.
const indexed = file.prepare<[string, number]>(
  "select rowid from titles where titles match ? order by rank limit ?",
);
const scanned = file.prepare<[string, number]>("select rowid from titles where title like ? limit ?");
const both = file.prepare<[string, string, number]>(
  "select rowid from titles where titles match ? and title like ? order by rank limit ?",
);

export const peer: TitlePeer = {
  load({ seed, size }) {
    const insert = file.prepare("insert into titles (rowid, title) values (?, ?)");
    file.transaction(() => {
      for (let page = 0; page < size; page += 1) insert.run(page, titleOf(seed, page).text);
    })();
    file.exec("insert into titles (titles) values ('optimize')");
  },
  search(query, limit) {
    const words = query.split(" ");
    const long = words
      .filter((word) => [...word].length >= 3)
      .map((word) => `"${word.replaceAll('"', '""')}"`);
    const short = words.filter((word) => [...word].length < 3).map((word) => `%${word}%`);
    if (short.length === 0) return indexed.all(long.join(" "), limit).length;
    if (long.length === 0) return scanned.all(short.join(" "), limit).length;
    return both.all(long.join(" "), short.join(""), limit).length;
  },
};

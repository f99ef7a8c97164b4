import BetterSqlite3 from "better-sqlite3";
import { joinedPages } from "../workspace/workspace.ts";
import type { GraphPeer } from "./peer.ts";

// In memory; a table clustered by the source page has both directions of every edge.
const file = new BetterSqlite3(":memory:");
file.exec("create table joined (page integer, other integer, primary key (page, other)) without rowid");

const around = file.prepare<[number, number]>("select other from joined where page = ? limit ?").pluck();
// A recursive query does not know which pages it visited at other depths: without a limit on steps it would never end.
const way = file
  .prepare<[number, number], number>(
    `with recursive walk (page, steps) as (
      values (?, 0)
      union
      select joined.other, steps + 1 from walk join joined on joined.page = walk.page where steps < 6
    )
    select steps from walk where page = ? limit 1`,
  )
  .pluck();

export const peer: GraphPeer = {
  load(workspace) {
    const insert = file.prepare("insert or ignore into joined values (?, ?)");
    file.transaction(() => {
      for (const [one, other] of joinedPages(workspace)) {
        insert.run(one, other);
        insert.run(other, one);
      }
    })();
    file.exec("analyze");
  },
  neighbors: (page, limit) => around.all(page, limit).length,
  path: (from, to) => way.get(from, to) ?? null,
};

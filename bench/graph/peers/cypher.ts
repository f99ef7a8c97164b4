import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Connection } from "kuzu";
import { joinedPages } from "../workspace/workspace.ts";
import type { GraphPeer } from "./peer.ts";

/** A graph database in memory, loaded by its bulk import and queried in Cypher by prepared statements. */
export function cypherPeer(connection: Connection): GraphPeer {
  connection.querySync("CREATE NODE TABLE Page(id INT64 PRIMARY KEY)");
  connection.querySync("CREATE REL TABLE Edge(FROM Page TO Page)");
  const around = connection.prepareSync(
    "MATCH (:Page {id: $page})-[:Edge]-(other:Page) RETURN DISTINCT other.id LIMIT $limit",
  );
  const way = connection.prepareSync(
    "MATCH path = (:Page {id: $from})-[:Edge* SHORTEST 1..30]-(:Page {id: $to}) RETURN length(path) AS steps",
  );
  const ask = (statement: typeof way, parameters: Readonly<Record<string, number>>) => {
    const result = connection.executeSync(statement, parameters);
    const rows = result.getAllSync();
    result.close();
    return rows;
  };
  return {
    async load(workspace) {
      const folder = await mkdtemp(join(tmpdir(), "clew-bench-"));
      const [pages, edges] = [join(folder, "pages.csv"), join(folder, "edges.csv")];
      await pipeline(
        Readable.from(Array.from({ length: workspace.size }, (_, page) => `${page}\n`)),
        createWriteStream(pages),
      );
      await pipeline(
        Readable.from(joinedPages(workspace).map((ends) => `${ends.join(",")}\n`)),
        createWriteStream(edges),
      );
      connection.querySync(`COPY Page FROM '${pages}'`);
      connection.querySync(`COPY Edge FROM '${edges}'`);
      await rm(folder, { recursive: true });
    },
    neighbors: (page, limit) => ask(around, { page, limit }).length,
    path(from, to) {
      const [found] = ask(way, { from, to });
      return found === undefined ? null : Number(found.steps);
    },
  };
}

import type { ColumnType } from "@clew/contract";
import { serveGraphs } from "../../packages/server/src/api/graph/testing/graph-server.ts";
import type { Json } from "../../packages/server/src/model/node.ts";
import { upsertCollections } from "../../packages/server/src/store/queries/containers.ts";
import { nodeId } from "../../packages/server/src/store/testing/scratch.ts";
import { type LongestTurn, watchTurns } from "../sync/longest-turn.ts";

// Serves a database of made-up rows, and watches its main thread while the other process asks.

/** The address of the list of rows, and the token to ask with. */
export interface ServedRows {
  readonly url: string;
  readonly token: string;
}

/** A message that this process receives: begin to watch, report, end. */
export type Order = "watch" | "stop" | "end";

const count = Number(process.argv[2]);
const workspaceId = "11111111-1111-4111-8111-111111111111";
const database = 1;
const dataSource = 2;
const firstRow = 10;

const columns: Readonly<Record<string, ColumnType>> = {
  Name: "title",
  Size: "number",
  Tags: "multi_select",
  Due: "date",
  Owner: "people",
  Notes: "text",
  State: "select",
  Page: "relation",
};

const words = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho".split(
  " ",
);
const word = (number: number) => words[number % words.length] ?? "";

function rowOf(index: number): Readonly<Record<string, Json>> {
  return {
    Name: `${word(index * 7)} ${word(index * 13 + 5)} ${(index * 7919) % 100_003}`,
    Size: (index * 31_337) % 100_000,
    Tags: [word(index), word(index + 3)],
    Due: { start: `2026-0${1 + (index % 9)}-1${index % 10}`, end: null },
    Owner: [`Person ${index % 40}`],
    Notes: `${word(index * 3)} ${word(index * 5)}, some notes about ${word(index)} that go on for a while`,
    State: word(index % 5),
    Page: [nodeId(firstRow + ((index * 17) % count))],
  };
}

let close: () => unknown = () => {};
const server = await serveGraphs({
  after(end: () => unknown) {
    close = end;
  },
});
const owner = await server.person("owner");
const rows = Array.from({ length: count }, (_, index) => {
  const properties = rowOf(index);
  const given = { title: String(properties.Name), parentId: nodeId(database), properties };
  return { number: firstRow + index, given };
});
const connection = await owner.connect(workspaceId, [
  { number: database, given: { type: "database", title: "Tasks" } },
  ...rows,
]);
await server.fixture.database.transaction((trx) =>
  upsertCollections(trx, connection.id, [
    {
      id: nodeId(dataSource),
      databaseId: nodeId(database),
      columns: Object.entries(columns).map(([name, type]) => ({ name, type, options: [] })),
    },
  ]),
);
const { raw } = await owner.token({ workspaceIds: [workspaceId] });
const origin = await server.app.listen({ port: 0, host: "127.0.0.1" });

let watched: ReturnType<typeof watchTurns> | null = null;
const answer = (message: ServedRows | LongestTurn | null) => process.send?.(message);
process.on("message", async (order: Order) => {
  if (order === "end") {
    await close();
    process.exit(0);
  }
  if (order === "stop") answer((await watched?.stop()) ?? null);
  else {
    watched = watchTurns();
    answer(null);
  }
});
answer({ url: `${origin}/api/v1/nodes/${nodeId(database)}/rows/`, token: raw });

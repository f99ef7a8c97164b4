import assert from "node:assert/strict";
import { graphOperations, type Operation, type ToolName, tools } from "@clew/contract";
import fc from "fast-check";
import { nodeId } from "../../store/testing/scratch.ts";
import { workspace } from "./agent-server.ts";

/** The numbers of pages. Requests also name page 9, which does not exist. */
export const numbers = [1, 2, 3, 4];

/** Values of the parameters of operations and tools, by name. Some words are only in texts, some only in titles. */
const words = ["page", "secret", "Page 2", "pag", "sceret", "moon landing", '"secret plan"', "zzz"];
const pages = [...numbers, 9].map(nodeId);
const times = ["2031-01-01", "24h", "9999d", "never"];
const values: Readonly<Record<string, readonly unknown[]>> = {
  q: words,
  query: words,
  question: words,
  id: pages,
  ids: [pages.join(), nodeId(1)],
  from: pages,
  to: pages,
  near: pages,
  page: [...pages, "Secret page", "secret plan"],
  under: pages,
  workspace_id: [workspace, "nonsense"],
  workspace: [workspace, "A workspace"],
  type: ["page", "database"],
  node_type: ["page"],
  by: ["Alpha", "nobody"],
  is: ["empty", "-empty", "broken", "failed", "orphan,-broken", "row"],
  sort: ["relevance", "updated", "created", "title", "degree", "importance"],
  order: ["asc", "desc"],
  in: ["titles", "text", "both"],
  direction: ["in", "out"],
  edge_type: ["link"],
  kinds: [["link"]],
  updated_after: times,
  updated_before: times,
  created_after: times,
  created_before: times,
  since: times,
  depth: [1, 3],
  max_depth: [3],
  database: ["Alpha"],
  where: ["Status = x"],
  column: ["Status"],
  columns: ["Status"],
  max_paths: [2],
  avoid: ["hubs"],
  avoid_hubs: [true],
  limit: [1, 2, 100],
  skip: [0, 1],
  offset: [0, 3],
  heading: ["Secret"],
  include: ["outline"],
  max_chars: [1000],
  excerpts: [true, false],
  linked: [true],
  breadcrumb: [true, false],
  format: ["jsonl", "csv"],
  part: ["nodes"],
  text: [true],
  also: ["shine"],
  explain: [true],
  colour: ["folder", "database"],
  links: [true, false],
  cursor: ["now", "nonsense"],
  count: [1, 2],
  positions: ["0,1"],
  wait: [1],
  detail: ["compact", "full"],
  max_tokens: [500, 4000],
};

interface Parameters {
  readonly properties: object;
  readonly required?: readonly string[] | undefined;
}

/** The required parameters of a schema and up to three others, each with one of its values. */
function parametersOf({ properties, required = [] }: Parameters): fc.Arbitrary<Record<string, unknown>> {
  const anyValue = (name: string) => {
    const choice = values[name];
    assert.ok(choice, `the test has no values for ${name}`);
    return fc.constantFrom(...choice);
  };
  return fc
    .subarray(Object.keys(properties), { maxLength: Math.min(3, Object.keys(properties).length) })
    .chain((some) =>
      fc.record(
        Object.fromEntries([...new Set([...required, ...some])].map((name) => [name, anyValue(name)])),
      ),
    );
}

/** A request of an operation, as a path below that of its audience. `workspaceIds` are those whose maps are asked for. */
const anyPathOf = (
  { path, query }: Pick<Operation, "path" | "query">,
  workspaceIds: readonly string[],
): fc.Arbitrary<string> => {
  const ids = path.includes("/workspaces/:id") ? workspaceIds : pages;
  return fc.tuple(fc.constantFrom(...ids), parametersOf(query as Parameters)).map(([id, parameters]) => {
    const query = Object.entries(parameters).map(([key, value]): [string, string] => [key, String(value)]);
    return `${path.replace(":id", id)}?${new URLSearchParams(query)}`;
  });
};

/** A call of a tool with its arguments. */
export type Call = readonly [ToolName, Record<string, unknown>];

const anyCallOf = (name: ToolName): fc.Arbitrary<Call> =>
  parametersOf(tools[name].input).map((parameters): Call => [name, parameters]);

/** One request of each operation. */
export const anyPaths: fc.Arbitrary<readonly string[]> = fc.tuple(
  ...Object.values(graphOperations).map((operation) => anyPathOf(operation, [workspace])),
);

/** One call of each tool. */
export const anyCalls: fc.Arbitrary<readonly Call[]> = fc.tuple(
  ...Object.keys(tools).map((name) => anyCallOf(name as ToolName)),
);

/** A request of any operation, of a map that does not exist: a map has the version of its graph in it. */
export const anyPath: fc.Arbitrary<string> = fc.oneof(
  ...Object.values(graphOperations).map((operation) => anyPathOf(operation, pages)),
);

/** A call of any tool. */
export const anyCall = fc.oneof(...Object.keys(tools).map((name) => anyCallOf(name as ToolName)));

import type { Thread } from "../model/edge.ts";
import type { GraphRows, ThreadRows } from "../model/graph-rows.ts";
import type { GraphNode } from "../model/node.ts";
import type { NodeId } from "../model/node-id.ts";
import { bytesOfIds } from "./node-ids.ts";
import { rowsOfTexts } from "./text-column.ts";

/** A node with its other names, which search alone knows; none when left out. */
export interface NamedNode extends GraphNode {
  readonly aliases?: readonly string[];
}

/** A graph as objects, in whatever order. */
export interface GraphInput {
  readonly nodes: readonly NamedNode[];
  /** May begin or end at nodes that are not among `nodes`. */
  readonly threads: readonly { readonly from: NodeId; readonly thread: Thread }[];
}

const nil = "00000000-0000-0000-0000-000000000000";

/** Objects as the rows that a graph is built from. Throws a RangeError where an id is malformed. */
export function rowsOf({ nodes, threads }: GraphInput): GraphRows {
  const sorted = nodes.toSorted((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)));
  const rows = {
    ids: bytesOfIds(sorted.map(({ id }) => id)),
    parents: bytesOfIds(sorted.map(({ parentId }) => parentId ?? nil)),
    types: sorted.map(({ type }) => type),
    titles: rowsOfTexts(sorted.map(({ title }) => title)),
    icons: rowsOfTexts(sorted.map(({ icon }) => icon)),
    urls: rowsOfTexts(sorted.map(({ url }) => url)),
    createdAt: sorted.map(({ createdAt }) => createdAt),
    updatedAt: sorted.map(({ updatedAt }) => updatedAt),
  };
  const alike = Map.groupBy(threads, ({ thread: { type, name, count } }) =>
    JSON.stringify([type, name, count]),
  );
  const aliases = sorted
    .filter((node) => node.aliases?.length)
    .map((node) => ({ id: bytesOfIds([node.id]), aliases: node.aliases ?? [] }));
  return { nodes: [rows], aliases, threads: [...alike.values()].flatMap(rowsAlike) };
}

function rowsAlike(threads: GraphInput["threads"]): ThreadRows[] {
  const ends = bytesOfIds(threads.flatMap(({ from, thread }) => [from, thread.targetId]));
  return threads.slice(0, 1).map(({ thread }) => ({ ...thread, ends }));
}

import type { Reference } from "./edge.ts";
import type { GraphRows, ReferenceRows } from "./graph-rows.ts";
import type { GraphNode } from "./node.ts";
import type { NodeId } from "./node-id.ts";
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
  readonly references: readonly { readonly from: NodeId; readonly reference: Reference }[];
}

const nil = "00000000-0000-0000-0000-000000000000";

/** Objects as the rows that a graph is built from. Throws a RangeError where an id is malformed. */
export function rowsOf({ nodes, references }: GraphInput): GraphRows {
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
  const alike = Map.groupBy(references, ({ reference: { type, name, count } }) =>
    JSON.stringify([type, name, count]),
  );
  const aliases = sorted
    .filter((node) => node.aliases?.length)
    .map((node) => ({ id: bytesOfIds([node.id]), aliases: node.aliases ?? [] }));
  return { nodes: [rows], aliases, references: [...alike.values()].flatMap(rowsAlike) };
}

function rowsAlike(references: GraphInput["references"]): ReferenceRows[] {
  const ends = bytesOfIds(references.flatMap(({ from, reference }) => [from, reference.targetId]));
  return references.slice(0, 1).map(({ reference }) => ({ ...reference, ends }));
}

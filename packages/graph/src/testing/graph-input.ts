import { type ContentState, type MarkTrait, markTraits } from "@clew/contract/vocabulary";
import { buildColumns } from "../build.ts";
import type { Reference } from "../edge.ts";
import { Graph } from "../graph.ts";
import type { GraphRows, ReferenceRows } from "../graph-rows.ts";
import { type GraphNode, type NodeId, parseNodeId } from "../node.ts";
import type { TextRows } from "../text-column.ts";

/** A node with what only search knows of it. */
export interface NamedNode extends GraphNode {
  readonly aliases?: readonly string[];
  /** `ready` if absent. */
  readonly contentState?: ContentState;
  /** None if absent. */
  readonly marks?: readonly MarkTrait[];
}

/** A graph as objects, in any order. */
export interface GraphInput {
  readonly nodes: readonly NamedNode[];
  /** They may start or end at nodes that are not among `nodes`. */
  readonly references: readonly { readonly from: NodeId; readonly reference: Reference }[];
}

const nil = "00000000-0000-0000-0000-000000000000";

/** Converts objects to rows. Throws a RangeError if an id is malformed. */
export function rowsOf({ nodes, references }: GraphInput): GraphRows {
  const sorted = nodes.toSorted((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)));
  const rows = {
    ids: bytesOfIds(sorted.map(({ id }) => id)),
    parents: bytesOfIds(sorted.map(({ parentId }) => parentId ?? nil)),
    types: sorted.map(({ type }) => type),
    contentStates: sorted.map(({ contentState = "ready" }) => contentState),
    titles: rowsOfTexts(sorted.map(({ title }) => title)),
    icons: rowsOfTexts(sorted.map(({ icon }) => icon)),
    urls: rowsOfTexts(sorted.map(({ url }) => url)),
    createdAt: sorted.map(({ createdAt }) => createdAt),
    updatedAt: sorted.map(({ updatedAt }) => updatedAt),
    creators: rowsOfTexts(sorted.map(({ createdBy }) => createdBy?.id ?? null)),
    editors: rowsOfTexts(sorted.map(({ editedBy }) => editedBy?.id ?? null)),
    marks: sorted.map(({ marks = [] }) =>
      marks.reduce((set, mark) => set | (1 << markTraits.indexOf(mark)), 0),
    ),
  };
  const aliases = sorted.flatMap(({ id, aliases = [] }) =>
    aliases.length > 0 ? [{ id: bytesOfIds([id]), aliases }] : [],
  );
  const groups = Map.groupBy(references, ({ reference: { type, name, count } }) =>
    JSON.stringify([type, name, count]),
  );
  const authors = sorted.flatMap(({ createdBy, editedBy }) => [createdBy ?? [], editedBy ?? []].flat());
  return { nodes: [rows], aliases, authors, references: [...groups.values()].flatMap(rowsOfGroup) };
}

function rowsOfGroup(references: GraphInput["references"]): ReferenceRows[] {
  const ends = bytesOfIds(references.flatMap(({ from, reference }) => [from, reference.targetId]));
  return references.slice(0, 1).map(({ reference }) => ({ ...reference, ends }));
}

/** The bytes of ids, 16 each. Throws a RangeError if one is not a UUID. */
export function bytesOfIds(ids: readonly NodeId[]): Uint8Array {
  const malformed = ids.find((id) => parseNodeId(id) === null);
  if (malformed !== undefined) throw new RangeError(`${malformed} is not a node id`);
  return Buffer.from(ids.join("").replaceAll("-", ""), "hex");
}

/** Encodes texts. A lone surrogate becomes U+FFFD, as always in UTF-8. */
export function rowsOfTexts(texts: readonly (string | null)[]): TextRows {
  const parts = texts.map((text) => (text === null ? Buffer.of(0xff) : Buffer.from(text)));
  return { bytes: Buffer.concat(parts), lengths: parts.map(({ length }) => length) };
}

/** Builds a graph from objects. Throws a RangeError if an id is malformed or comes twice. */
export function buildGraph(input: GraphInput): Graph {
  return new Graph(buildColumns(rowsOf(input)));
}

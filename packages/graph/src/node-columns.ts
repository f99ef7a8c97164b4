import { contentStates, type NodeType, nodeTypes } from "@clew/contract/vocabulary";
import { type AuthorColumns, AuthorNumbers, authorsOf } from "./authors.ts";
import { at, byteAt, floatAt, joinColumns } from "./columns.ts";
import type { GraphRows } from "./graph-rows.ts";
import type { GraphNode } from "./node.ts";
import {
  assertAscending,
  type IdLookup,
  idAt,
  idLookup,
  isNil,
  type NodeIds,
  packIds,
  wordsPerId,
} from "./node-ids.ts";
import {
  joinTexts,
  receivedTexts,
  shortenUrls,
  type TextColumn,
  type TextRows,
  textAt,
  type UrlColumn,
  urlAt,
  urlPrefixOf,
} from "./text-column.ts";

/** The fields of a graph's nodes, a column each. */
export interface NodeColumns extends AuthorColumns {
  /** Indexes into the contract's `nodeTypes`. */
  readonly types: Uint8Array;
  readonly titles: TextColumn;
  readonly icons: TextColumn;
  readonly urls: UrlColumn;
  /** Indexes of the parents, `noParent` at a root. */
  readonly parents: Uint32Array;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: Float64Array;
  readonly updatedAt: Float64Array;
}

export const noParent = 0xffff_ffff;

/**
 * Packs the nodes of a graph. A parent that is not a node of this graph counts as none.
 * Throws a RangeError if a node comes twice or out of order.
 */
export function packNodes({ nodes: batches, authors: named }: Pick<GraphRows, "nodes" | "authors">): {
  ids: NodeIds;
  nodes: NodeColumns;
  /** Indexes into the contract's `contentStates`. */
  contentStates: Uint8Array;
  /** Sets of the traits that the provider gives. */
  marks: Uint8Array;
  lookUp: IdLookup;
} {
  const parts = {
    ids: [] as NodeIds[],
    parents: [] as NodeIds[],
    types: [] as Uint8Array[],
    contentStates: [] as Uint8Array[],
    titles: [] as TextRows[],
    icons: [] as TextRows[],
    urls: [] as TextRows[],
    createdAt: [] as Float64Array[],
    updatedAt: [] as Float64Array[],
    creators: [] as Uint32Array[],
    editors: [] as Uint32Array[],
    marks: [] as Uint8Array[],
  };
  const numbers = new AuthorNumbers();
  let prefix: Uint8Array | null = null;
  for (const batch of batches) {
    const idsOfBatch = packIds(batch.ids);
    prefix ??= urlPrefixOf(batch.urls);
    parts.ids.push(idsOfBatch);
    parts.parents.push(packIds(batch.parents));
    parts.types.push(Uint8Array.from(batch.types, (type) => nodeTypes.indexOf(type)));
    parts.contentStates.push(Uint8Array.from(batch.contentStates, (state) => contentStates.indexOf(state)));
    parts.titles.push(batch.titles);
    parts.icons.push(batch.icons);
    parts.urls.push(shortenUrls(batch.urls, idsOfBatch, prefix ?? new Uint8Array()));
    parts.createdAt.push(Float64Array.from(batch.createdAt));
    parts.updatedAt.push(Float64Array.from(batch.updatedAt));
    parts.creators.push(numbers.numbersOf(batch.creators));
    parts.editors.push(numbers.numbersOf(batch.editors));
    parts.marks.push(Uint8Array.from(batch.marks));
  }
  const ids = joinColumns(parts.ids, Uint32Array);
  assertAscending(ids);
  const lookUp = idLookup(ids);
  const parents = parts.parents.map((some) => resolveParents(some, lookUp));
  const authors = numbers.authors(named);
  const nodes = {
    types: joinColumns(parts.types, Uint8Array),
    titles: joinTexts(parts.titles),
    icons: joinTexts(parts.icons),
    urls: { prefix: Buffer.from(prefix ?? []).toString(), texts: joinTexts(parts.urls) },
    parents: joinColumns(parents, Uint32Array),
    createdAt: joinColumns(parts.createdAt, Float64Array),
    updatedAt: joinColumns(parts.updatedAt, Float64Array),
    authors,
    creators: authors.length === 0 ? new Uint32Array() : joinColumns(parts.creators, Uint32Array),
    editors: authors.length === 0 ? new Uint32Array() : joinColumns(parts.editors, Uint32Array),
  };
  return {
    ids,
    nodes,
    contentStates: joinColumns(parts.contentStates, Uint8Array),
    marks: joinColumns(parts.marks, Uint8Array),
    lookUp,
  };
}

function resolveParents(ids: NodeIds, lookUp: IdLookup): Uint32Array {
  return new Uint32Array(ids.length / wordsPerId).map((_, index) => {
    const parent = isNil(ids, index) ? -1 : lookUp(ids, index);
    return parent < 0 ? noParent : parent;
  });
}

/** Restores the columns of texts, which may come from another thread. */
export function receivedNodes(columns: NodeColumns): NodeColumns {
  const { titles, icons, urls } = columns;
  return {
    ...columns,
    titles: receivedTexts(titles),
    icons: receivedTexts(icons),
    urls: { ...urls, texts: receivedTexts(urls.texts) },
  };
}

export function nodeAt(columns: NodeColumns, ids: NodeIds, index: number): GraphNode {
  const parent = at(columns.parents, index);
  return {
    id: idAt(ids, index),
    type: nodeTypeAt(columns, index),
    title: textAt(columns.titles, index) ?? "",
    icon: textAt(columns.icons, index),
    url: urlAt(columns.urls, ids, index),
    parentId: parent === noParent ? null : idAt(ids, parent),
    createdAt: floatAt(columns.createdAt, index),
    updatedAt: floatAt(columns.updatedAt, index),
    ...authorsOf(columns, index),
  };
}

export function nodeTypeAt({ types }: NodeColumns, index: number): NodeType {
  // Written by `packNodes`, so it is the index of a type.
  return nodeTypes[byteAt(types, index)] as NodeType;
}

import type { ContentState, NodeType } from "@clew/contract";
import type { NodeRows } from "@clew/graph";

/**
 * A page of nodes as databases return it, their values concatenated; lists of numbers, types and states are separated by
 * commas.
 */
export interface NodePage {
  readonly ids: Uint8Array;
  readonly parents: Uint8Array;
  readonly types: string;
  readonly contentStates: string;
  readonly titles: Uint8Array;
  readonly titleLengths: string;
  readonly icons: Uint8Array;
  readonly iconLengths: string;
  readonly urls: Uint8Array;
  readonly urlLengths: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly creators: Uint8Array;
  readonly creatorLengths: string;
  readonly editors: Uint8Array;
  readonly editorLengths: string;
  readonly marks: string;
}

/** The row of a query for a page: without nodes, its ids are null. */
export type NodePageRow = Omit<NodePage, "ids"> & { readonly ids: Uint8Array | null };

type Texts = NodeRows["titles"];

/** Reads a page. `decode` turns texts as they are stored into what they are. */
export function nodeRowsOf(row: NodePage, decode: (texts: Texts) => Texts = (texts) => texts): NodeRows {
  const textsOf = (bytes: Uint8Array, lengths: string) => decode({ bytes, lengths: numbersIn(lengths) });
  return {
    ids: row.ids,
    parents: row.parents,
    // Only node types and content states are written.
    types: row.types.split(",") as NodeType[],
    contentStates: row.contentStates.split(",") as ContentState[],
    titles: textsOf(row.titles, row.titleLengths),
    icons: textsOf(row.icons, row.iconLengths),
    urls: textsOf(row.urls, row.urlLengths),
    createdAt: numbersIn(row.createdAt),
    updatedAt: numbersIn(row.updatedAt),
    creators: textsOf(row.creators, row.creatorLengths),
    editors: textsOf(row.editors, row.editorLengths),
    marks: numbersIn(row.marks),
  };
}

/**
 * SQL for a reading of a graph since a revision, with the two parameters in the form of a database. `sameNodes` selects a row if the
 * connection has the nodes that it had then; `changed` are the nodes whose references changed since.
 */
export function sinceRevision(connectionId: string, since: string) {
  return {
    sameNodes: `select 1 from connections where id = ${connectionId} and revision >= ${since} and forgotten_revision <= ${since}
      and not exists (select 1 from nodes
        where connection_id = ${connectionId} and changed_revision > ${since} and added_revision > ${since})
      and not exists (select 1 from tombstones where connection_id = ${connectionId} and revision > ${since})`,
    changed: `nodes where connection_id = ${connectionId} and changed_revision > ${since} and references_revision > ${since}`,
  };
}

/** JSON.parse is the fastest reader of number lists. */
function numbersIn(list: string): number[] {
  return JSON.parse(`[${list}]`);
}

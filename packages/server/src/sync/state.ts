import type { NodeId } from "@clew/graph";
import type { ParentRef } from "../provider/port.ts";
import { IdMap } from "./id-map.ts";

/**
 * What a sync run knows of a workspace, from its beginning to its end: ids, and where they hang. Facts and texts stay
 * in the store.
 */
export interface SyncState {
  /** What each node hangs in, of all nodes that there are: a page, database, data source or block; null at the top. */
  readonly nodes: IdMap;
  /** The database of each data source. */
  readonly databases: Map<string, NodeId>;
  /** Since when the rows of each data source are known, by the provider's clock; null where they never were listed. */
  readonly rowsKnownSince: Map<string, number | null>;
  /** What each block hangs in that was climbed; null where that leads nowhere. */
  readonly blocks: Map<string, string | null>;
  /** Questions that this run has asked, whatever came of it: none is asked twice. */
  readonly asked: Set<string>;
  /** Those of them that the provider did not answer. */
  readonly unanswered: Set<string>;
  /** Data sources that this run was told of. */
  readonly seenSources: Set<string>;
  /** Nodes that name something that could not be asked for. */
  readonly unsettled: Set<NodeId>;
  /** Nodes of which the provider has confirmed that they are gone. */
  readonly gone: Set<NodeId>;
  /** Whether data sources turned up that were not known before. */
  hasNewSources: boolean;
  /** Whether also what is known is asked for again. */
  isFull: boolean;
  /** Whether the search came to its end: else what it did not list may be there, and may be listed the next time. */
  isSearchWhole: boolean;
  /** Whether everything that search listed could be read: else what was found otherwise may be listed all the same. */
  isSearchReadable: boolean;
  /** Whether the rows of every data source that was asked for were listed to their end. */
  areRowsWhole: boolean;
  /** Characters of the texts that were read and are not written yet. */
  charactersInHand: number;
  /** The number of the sync's first run: what runs since then saw, this sync saw. */
  firstRun: number;
  /** What was edited before this time and is as it was then holds nothing new, by the provider's clock. */
  quietBefore: number;
}

export function createSyncState(): SyncState {
  return {
    nodes: new IdMap(),
    databases: new Map(),
    rowsKnownSince: new Map(),
    blocks: new Map(),
    asked: new Set(),
    unanswered: new Set(),
    seenSources: new Set(),
    unsettled: new Set(),
    gone: new Set(),
    hasNewSources: false,
    isFull: false,
    isSearchWhole: true,
    isSearchReadable: true,
    areRowsWhole: true,
    charactersInHand: 0,
    firstRun: 0,
    quietBefore: Number.NEGATIVE_INFINITY,
  };
}

/** What a parent says that something hangs in, as far as that can be followed. */
export function containerOf(parent: ParentRef): string | null {
  switch (parent.kind) {
    case "node":
    case "block":
      return parent.id;
    case "data-source":
      return parent.databaseId ?? parent.id;
    default:
      return null;
  }
}

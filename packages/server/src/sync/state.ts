import type { NodeId, Reference } from "@clew/graph";
import type { FoundBy } from "../model/sync-report.ts";
import type { NodeReference, ParentRef } from "../provider/port.ts";
import { IdMap } from "./id-map.ts";

/** Lists before look-ups, since a list answers many questions in one call. */
export const lookupKinds = [
  "rows",
  "find-container",
  "find-database",
  "look-up",
  "retrieve",
  "columns",
] as const;

/**
 * A question to the provider. `rows`: the rows of a data source; `find-container`: the parent of a block;
 * `find-database`: the database of a data source; `look-up`: a node that may have been shared; `retrieve`: all that a
 * database says of itself; `columns`: the columns of a data source.
 */
export interface Lookup {
  readonly kind: (typeof lookupKinds)[number];
  /** Of the data source, the node or the block. */
  readonly id: string;
  /** What kind of node a look-up expects. */
  readonly type?: NodeReference["type"];
}

/**
 * Tells one question from another. A page and a database of one id are two: a page may name a database as if it were a
 * page, and the provider answers for the right kind alone.
 */
export function lookupKey({ kind, id, type }: Lookup): string {
  return type === undefined ? `${kind} ${id}` : `${kind} ${type} ${id}`;
}

/** What a run could not list: the rest of the search, an entry of the search, or rows. */
type ListingGap = "search-rest" | "search-entry" | "rows";

/**
 * What a run knows of a workspace: ids and where they are. Facts and texts stay in the store. Each method that changes it
 * is one transition; all other methods only read.
 */
export class SyncState {
  /** The container of every known node: a page, database, data source or block; null at the top. */
  readonly #containers = new IdMap();
  /** The database of each data source. */
  readonly #databases = new Map<string, NodeId>();
  /** Since when the rows of a data source are known, by the provider's clock. */
  readonly #rowsListedAt = new Map<string, number>();
  /** The container of each block; null where that leads nowhere. */
  readonly #blocks = new Map<string, string | null>();
  readonly #asked = new Set<string>();
  readonly #unanswered = new Set<string>();
  /** Data sources that this run observed. */
  readonly #observedSources = new Set<string>();
  /** Data sources whose columns this run need not look up. */
  readonly #sourcesWithColumns = new Set<string>();
  readonly #unsettled = new Set<NodeId>();
  readonly #gone = new Set<NodeId>();
  #hasNewSources = false;
  readonly #gaps = new Set<ListingGap>();
  #pendingCharacters = 0;

  // Transitions

  /** An earlier sync stored a data source; `listedAt` is null where its rows never were listed to their end. */
  knewDataSource(id: string, databaseId: NodeId, listedAt: number | null): void {
    this.#databases.set(id, databaseId);
    if (listedAt !== null) this.#rowsListedAt.set(id, listedAt);
  }

  /** The container of a block was found, now or by an earlier sync. */
  foundBlock(id: string, containerId: string | null): void {
    this.#blocks.set(id, containerId);
  }

  /** A node was found, now or by an earlier sync, with data sources that this run observed. */
  foundNode(id: NodeId, containerId: string | null, dataSourceIds: readonly string[] = []): void {
    this.#containers.set(id, containerId);
    this.#gone.delete(id);
    for (const source of dataSourceIds) {
      if (!this.#databases.has(source)) this.#hasNewSources = true;
      this.#databases.set(source, id);
      this.#observedSources.add(source);
    }
  }

  /** The columns of a data source were shown, or are known from an earlier sync. */
  foundColumns(dataSourceId: string): void {
    this.#sourcesWithColumns.add(dataSourceId);
  }

  /** A question is being asked. False where this run asked it before: none is asked twice. */
  asked(lookup: Lookup): boolean {
    const key = lookupKey(lookup);
    if (this.#asked.has(key)) return false;
    this.#asked.add(key);
    return true;
  }

  /** The provider did not answer a question. */
  unanswered(lookup: Lookup): void {
    this.#unanswered.add(lookupKey(lookup));
    if (lookup.kind === "rows") this.couldNotList("rows");
  }

  /** Something that a node names or leaves out could not be looked up. */
  unsettled(id: NodeId): void {
    this.#unsettled.add(id);
  }

  /** The provider says that a node is not there, or in the trash. */
  confirmedGone(id: NodeId): void {
    this.#gone.add(id);
  }

  /** A node was removed from the store. */
  removed(id: NodeId): void {
    this.#containers.delete(id);
  }

  /** The provider says that a data source is not there. */
  lostDataSource(id: string): void {
    this.#databases.delete(id);
  }

  /** References to data sources were redirected to their databases. */
  redirectedReferences(): void {
    this.#hasNewSources = false;
  }

  /** A list ended early, or held something that could not be read. */
  couldNotList(gap: ListingGap): void {
    this.#gaps.add(gap);
  }

  /** A text was fetched, and is held until `textWritten`. */
  textFetched(characters: number): void {
    this.#pendingCharacters += characters;
  }

  textWritten(characters: number): void {
    this.#pendingCharacters -= characters;
  }

  // Reads

  hasNode(id: string): boolean {
    return this.#containers.has(id);
  }

  nodeIds(): Iterable<NodeId> {
    return this.#containers.keys();
  }

  databaseOf(dataSourceId: string): NodeId | undefined {
    return this.#databases.get(dataSourceId);
  }

  dataSourceIds(): readonly string[] {
    return [...this.#databases.keys()];
  }

  dataSourcesOf(databaseId: NodeId): string[] {
    return [...this.#databases].filter(([, id]) => id === databaseId).map(([source]) => source);
  }

  /** Whether something else in the workspace showed a data source to this run. */
  isObservedSource(id: string): boolean {
    return this.#observedSources.has(id);
  }

  /** Whether the columns of a data source need not be looked up. */
  hasColumns(dataSourceId: string): boolean {
    return this.#sourcesWithColumns.has(dataSourceId);
  }

  /** Since when the rows of a data source are known, by the provider's clock; null where they are not. */
  rowsKnownSince(dataSourceId: string): number | null {
    return this.#rowsListedAt.get(dataSourceId) ?? null;
  }

  /** The container of a block; null where that leads nowhere, undefined where it is not known. */
  blockContainer(id: string): string | null | undefined {
    return this.#blocks.get(id);
  }

  wasAsked(lookup: Lookup): boolean {
    return this.#asked.has(lookupKey(lookup));
  }

  wasUnanswered(lookup: Lookup): boolean {
    return this.#unanswered.has(lookupKey(lookup));
  }

  unsettledNodes(): ReadonlySet<NodeId> {
    return this.#unsettled;
  }

  isGone(id: NodeId): boolean {
    return this.#gone.has(id);
  }

  /** Nodes that are gone and not removed yet. */
  goneNodes(): NodeId[] {
    return [...this.#gone].filter((id) => this.hasNode(id));
  }

  /** Whether a data source was new to this run, so that references to it may be stored as they were named. */
  get hasNewSources(): boolean {
    return this.#hasNewSources;
  }

  get isSearchComplete(): boolean {
    return !this.#gaps.has("search-rest");
  }

  /** Whether search and rows were listed to their end. */
  get isListingComplete(): boolean {
    return this.isSearchComplete && !this.#gaps.has("rows");
  }

  /**
   * How a node counts as found. While the search is incomplete or in part unreadable, the next one is expected to list
   * what this one did not.
   */
  foundBy(by: FoundBy): FoundBy {
    return this.isSearchComplete && !this.#gaps.has("search-entry") ? by : "search";
  }

  /** Whether nothing is known of where a node is. */
  isUnplaced(id: NodeId): boolean {
    return this.#containers.get(id) === id;
  }

  /** The nearest node that contains a node, as far as the run knows; null where there is none. */
  parentOf(id: NodeId): NodeId | null {
    const visited = new Set<string>();
    let here = this.#containers.get(id) ?? null;
    while (here !== null && !this.hasNode(here) && !visited.has(here)) {
      visited.add(here);
      here = this.#databases.get(here) ?? this.#blocks.get(here) ?? null;
    }
    return here !== null && this.hasNode(here) ? here : null;
  }

  /** References in which a mention of a data source means its database. */
  redirect(references: readonly Reference[]): Reference[] {
    return references.map((reference) => ({
      ...reference,
      targetId: this.#databases.get(reference.targetId) ?? reference.targetId,
    }));
  }

  /** Estimated bytes that the run holds in memory. */
  heldBytes(): number {
    const facts = [
      this.#databases,
      this.#rowsListedAt,
      this.#blocks,
      this.#asked,
      this.#unanswered,
      this.#unsettled,
      this.#gone,
    ].reduce((sum, { size }) => sum + size, 0);
    const texts = this.#pendingCharacters * bytesPerCharacter;
    return heldBytesOf(this.#containers.size) + facts * bytesPerFact + texts;
  }
}

/* Estimated from what was measured (docs/operations.md). */

/** Of a sync that has seen nothing yet: its reader, and a few answers that are being read. */
const baseBytes = 128 * 1024;
/** Of each node: its id and container here, in the report and in the list of texts to be fetched. */
const bytesPerNode = 350;
/** Of each other fact in the state. */
const bytesPerFact = 250;
/** Of a text whose references were found. */
const bytesPerCharacter = 4;

/** Estimated bytes that the sync of a workspace with so many nodes holds when it begins. */
export function heldBytesOf(nodes: number): number {
  return baseBytes + nodes * bytesPerNode;
}

/** The id of the container that a parent names, as far as that can be followed. */
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

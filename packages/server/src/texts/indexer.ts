import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { idLookup, packIds } from "@clew/graph";
import { pageTokens, SegmentBuilder, type SegmentPages } from "@clew/text-index";
import type { Json } from "../model/node.ts";
import { createTurns } from "../model/turns.ts";
import type { ReadHandle, TextWriter } from "../store/port.ts";
import { graphRevision } from "../store/queries/changes.ts";
import { connectionIds, publicationsSince } from "../store/queries/connections.ts";
import {
  countAwaitedTexts,
  countChangedAfter,
  countPages,
  type SearchedNode,
  searchedNodesAfter,
  textsOf,
} from "../store/queries/page-texts.ts";
import { removedIds } from "../store/queries/removed-connections.ts";
import { type NodePosition, nodeIdOf } from "../store/queries/statements.ts";
import { pageSourceOf, versionOfNode } from "./indexed-page.ts";
import type { StoredIndex } from "./stored-index.ts";

/** Nodes that are compared with the index at a time. */
const nodesAtATime = 500;

/** Code points of texts that are in memory at a time, unless one text is longer. */
const charsAtATime = 1_000_000;

/** Steps of updates that run at a time: while one waits for the database, others work. */
const stepsAtATime = 4;

/** Attempts to update while other processes index the same connection. */
const maxAttempts = 5;

/** Milliseconds between two attempts to lease a connection that another process indexes. */
const leasePollMs = 500;

/** Milliseconds after which all connections are compared again, not only those that were published since. */
const completeLookMs = 3_600_000;

/** Milliseconds that the commit of a publication may come after its time. */
const commitDelayMs = 120_000;

/** Milliseconds between two renewals of a lease: a part of the half minute for which it is given. */
const leaseRenewalMs = 10_000;

interface IndexerServices {
  readonly db: ReadHandle;
  readonly texts: TextWriter;
  readonly index: StoredIndex;
  /** Called when more of a connection's texts can be found although its update continues. */
  readonly onProgress: (connectionId: number) => void;
}

/** Does a step of an update when its turn comes among the updates of all connections. */
type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Keeps the text index up to date with the store. Updates are in steps, between which other calls are answered. */
export class Indexer {
  readonly #db: ReadHandle;
  readonly #texts: TextWriter;
  readonly #index: StoredIndex;
  readonly #onProgress: (connectionId: number) => void;
  readonly #worker = randomUUID();
  /** Connections whose index was compared with the store, page by page, since this process started. */
  readonly #verified = new Set<number>();
  /** The time of the newest publication that was looked at, in milliseconds since the Unix epoch. */
  #lookedUpTo = 0;
  /** When all connections were last compared, on a monotonic clock. */
  #lookedAtAll = Number.NEGATIVE_INFINITY;
  #tidiedAllAt = Number.NEGATIVE_INFINITY;
  /** Removed connections whose index was deleted. */
  #removed: ReadonlySet<number> = new Set();
  /** Connections that were found not to be indexed, with the revisions that were published. */
  readonly #outdated = new Map<number, number>();
  readonly #takeTurn = createTurns({ atOnce: stepsAtATime });

  constructor({ db, texts, index, onProgress }: IndexerServices) {
    this.#db = db;
    this.#texts = texts;
    this.#index = index;
    this.#onProgress = onProgress;
  }

  /**
   * Brings a connection's index up to date. While another process does that it waits, unless `waits` is false: then it
   * returns false.
   */
  async update(connectionId: number, { waits }: { readonly waits: boolean }): Promise<boolean> {
    const owner = {};
    const inTurn: InTurn = (work) => this.#takeTurn(owner, work);
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const revision = await inTurn(() => this.#revisionToIndex(connectionId));
      if (revision === null) return true;
      if (!(await this.#takeLease(connectionId, waits))) return false;
      try {
        if (await this.#tryToUpdate(connectionId, revision, inTurn)) return true;
      } finally {
        await this.#texts.release(connectionId, this.#worker);
      }
    }
    throw new Error(`another process kept changing the text index of connection ${connectionId}`);
  }

  /**
   * The connections whose latest published revision is not indexed. Looks at all connections once an hour, and otherwise at those
   * that were published since the last call.
   */
  async outdated(): Promise<number[]> {
    const isComplete = performance.now() - this.#lookedAtAll > completeLookMs;
    const published = await publicationsSince(this.#db, isComplete ? null : this.#lookedUpTo - commitDelayMs);
    if (isComplete) {
      this.#lookedAtAll = performance.now();
      this.#outdated.clear();
    }
    for (const { id, revision, publishedAt } of published) {
      this.#outdated.set(id, revision);
      this.#lookedUpTo = Math.max(this.#lookedUpTo, publishedAt ?? 0);
    }
    const manifests = await this.#index.manifests([...this.#outdated.keys()]);
    for (const [id, revision] of this.#outdated) {
      const manifest = manifests.get(id);
      if (this.#isCompared(id) && manifest !== undefined && manifest.revision >= revision)
        this.#outdated.delete(id);
    }
    return [...this.#outdated.keys()];
  }

  /** The number of pages of these connections whose latest change is not indexed. */
  async countLag(connectionIds: readonly number[]): Promise<number> {
    const manifests = await this.#index.manifests(connectionIds);
    let pages = 0;
    for (const id of connectionIds) {
      const revision = manifests.get(id)?.revision ?? -1;
      // The greatest key: all pages of that revision are indexed.
      pages += await countChangedAfter(this.#db, id, { revision, key: new Uint8Array(16).fill(0xff) });
    }
    return pages;
  }

  /**
   * Deletes removed connections and replaced segments. Looks at all connections once an hour, and otherwise at those that were
   * removed within the last half minute, or that still have rows.
   */
  async tidy(): Promise<void> {
    if (performance.now() - this.#tidiedAllAt > completeLookMs) {
      await this.#index.keepOnly(() => connectionIds(this.#db));
      this.#tidiedAllAt = performance.now();
    }
    const removed = await removedIds(this.#db);
    const found = removed.filter((id) => !this.#removed.has(id));
    if (found.length > 0) await this.#index.remove(found);
    this.#removed = new Set(removed);
    await this.#index.dropReplaced();
  }

  #isCompared(connectionId: number): boolean {
    return !this.#texts.isRestoredApart || this.#verified.has(connectionId);
  }

  /** The revision up to which a connection is to be indexed; null if its index has everything. */
  async #revisionToIndex(connectionId: number): Promise<number | null> {
    const revision = await graphRevision(this.#db, connectionId);
    if (revision === null || !this.#isCompared(connectionId)) return revision;
    const manifest = await this.#index.manifest(connectionId);
    return manifest !== null && manifest.revision >= revision ? null : revision;
  }

  /** Leases a connection, once no other process has it. */
  async #takeLease(connectionId: number, waits: boolean): Promise<boolean> {
    while (!(await this.#texts.lease(connectionId, this.#worker))) {
      if (!waits) return false;
      await sleep(leasePollMs);
    }
    return true;
  }

  /** Renews a lease from time to time; false if another process has taken it. */
  #renewal(connectionId: number): () => Promise<boolean> {
    let renewedAt = performance.now();
    return async () => {
      if (performance.now() - renewedAt < leaseRenewalMs) return true;
      renewedAt = performance.now();
      return this.#texts.lease(connectionId, this.#worker);
    };
  }

  /** Indexes what changed since the index was last updated. False if another process did that at the same time. */
  async #tryToUpdate(connectionId: number, revision: number, inTurn: InTurn): Promise<boolean> {
    const { manifest, segments } = await this.#index.read(connectionId);
    const isKnown = this.#isCompared(connectionId) && manifest !== null;
    if (isKnown && manifest.revision >= revision) return true;
    const versionOf = versionLookup(segments.map(({ pages }) => pages));
    const added: number[] = [];
    let builder = new SegmentBuilder();

    /** Commits the pages that were added; `position` is null if they are all. */
    const commit = async (position: NodePosition | null): Promise<boolean> => {
      if (builder.pageCount > 0) added.push(await this.#texts.writeSegment(connectionId, builder.finish()));
      builder = new SegmentBuilder();
      const indexed = await this.#indexedShare(connectionId, position);
      const upTo = position === null ? revision : (manifest?.revision ?? 0);
      const isDone = await this.#index.adopt(connectionId, added, {
        revision: upTo,
        indexed,
        before: manifest,
      });
      if (isDone && position !== null) this.#onProgress(connectionId);
      return isDone;
    };

    const isLeased = this.#renewal(connectionId);
    const start = { revision: isKnown ? manifest.revision : -1, key: new Uint8Array() };
    for await (const { nodes, end } of this.#differingNodes(connectionId, start, versionOf, inTurn)) {
      await inTurn(() => this.#add(connectionId, nodes, builder));
      if (!(await (builder.isFull ? inTurn(() => commit(end)) : isLeased()))) return false;
    }
    if (!(await inTurn(() => commit(null)))) return false;
    this.#verified.add(connectionId);
    return true;
  }

  /**
   * The nodes after a position that differ from the index, as many at a time as fit into memory, and a position up to
   * which all were compared.
   */
  async *#differingNodes(
    connectionId: number,
    start: NodePosition,
    versionOf: (key: Uint8Array) => number | null,
    inTurn: InTurn,
  ): AsyncGenerator<{ readonly nodes: readonly ChangedNode[]; readonly end: NodePosition }> {
    for (let end = start; ; ) {
      const nodes = await inTurn(() => searchedNodesAfter(this.#db, connectionId, end, nodesAtATime));
      const last = nodes.at(-1);
      if (last === undefined) return;
      const differing = nodes
        .map((node) => ({ node, version: versionOfNode(node) }))
        .filter(({ node, version }) => versionOf(node.key) !== version);
      for (const some of byChars(differing)) yield { nodes: some, end };
      end = { revision: last.changedRevision, key: last.key };
    }
  }

  /** Adds pages to a segment. */
  async #add(connectionId: number, some: readonly ChangedNode[], builder: SegmentBuilder): Promise<void> {
    const withText = some.filter(({ node }) => node.digest !== null).map(({ node }) => node.key);
    const stored = await textsOf(this.#db, connectionId, withText);
    for (const { node, version } of some) {
      const source = pageSourceOf({
        title: node.title,
        // Written by `upsertNodes`.
        aliases: node.aliases === null ? [] : (JSON.parse(node.aliases) as string[]),
        properties: JSON.parse(node.properties) as Record<string, Json>,
        markdown: stored.get(nodeIdOf(node.key)) ?? "",
      });
      builder.add(node.key, version, pageTokens(source, builder.terms));
    }
  }

  /** The share of texts that can be found if the index is complete up to a position; null stands for the end. */
  async #indexedShare(connectionId: number, position: NodePosition | null): Promise<number> {
    const awaited = await countAwaitedTexts(this.#db, connectionId);
    const ahead = position === null ? 0 : await countChangedAfter(this.#db, connectionId, position);
    if (awaited + ahead === 0) return 1;
    const all = await countPages(this.#db, connectionId);
    return Math.max(0, Math.floor((1 - (awaited + ahead) / all) * 10_000) / 10_000);
  }
}

interface ChangedNode {
  readonly node: SearchedNode;
  readonly version: number;
}

/** Cuts a list into lists of nodes whose texts fit into memory together. */
function* byChars(nodes: readonly ChangedNode[]): Generator<readonly ChangedNode[]> {
  let some: ChangedNode[] = [];
  let chars = 0;
  for (const each of nodes) {
    if (chars + each.node.chars > charsAtATime && some.length > 0) {
      yield some;
      some = [];
      chars = 0;
    }
    some.push(each);
    chars += each.node.chars;
  }
  if (some.length > 0) yield some;
}

/** Finds the version of a page in the newest segment that has it; null if none has. */
function versionLookup(segments: readonly SegmentPages[]): (key: Uint8Array) => number | null {
  const newestFirst = segments.toReversed().map(({ ids, versions }) => ({
    versions,
    find: idLookup(packIds(ids)),
  }));
  return (key) => {
    const wanted = packIds(key);
    for (const { versions, find } of newestFirst) {
      const page = find(wanted, 0);
      if (page >= 0) return versions[page] ?? null;
    }
    return null;
  };
}

import { createHash, randomUUID } from "node:crypto";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { idLookup, type NodeIds, packIds } from "@clew/graph";
import {
  decodePages,
  findLivePages,
  mergeSegments,
  pageTokens,
  planMerge,
  SegmentBuilder,
  type SegmentPages,
  type StoredSegment,
  segmentBytes,
} from "@clew/text-index";
import { LRUCache } from "lru-cache";
import type { Json } from "../../model/node.ts";
import { createTurns } from "../../model/turns.ts";
import type { Database, TextManifest, TextView, TextWriter } from "../../store/port.ts";
import { graphRevision } from "../../store/queries/changes.ts";
import { connectionIds, publishedRevisions } from "../../store/queries/connections.ts";
import {
  countChangedAfter,
  countTexts,
  type NodePosition,
  nodeKeysOf,
  type SearchedNode,
  searchedNodesAfter,
  textsOf,
} from "../../store/queries/page-texts.ts";
import { nodeIdOf } from "../../store/queries/statements.ts";
import { pageSourceOf } from "./page-source.ts";
import type { TextSnapshot } from "./snapshot.ts";

/** Nodes that are compared with the index at a time. */
const nodesAtATime = 500;

/** Code points of texts that are in memory at a time, unless one text is longer. */
const charsAtATime = 1_000_000;

/** Bytes of segments' pages that are kept, for the next update or snapshot. */
const keptPagesBytes = 64 * 1024 * 1024;

/** Milliseconds for which a segment stays after it was replaced: longer than a query, or a graph that it belongs to, lasts. */
const droppedSegmentMs = 5 * 60_000;

/** Steps of updates that are under way at a time: while one waits for the database, others work. */
const stepsAtATime = 4;

/** Attempts to commit while other processes index the same connection. */
const maxAttempts = 5;

/** Milliseconds between two attempts to lease a connection that another process indexes. */
const leasePollMs = 500;

/** Milliseconds between two renewals of a lease: a part of the half minute for which it is given. */
const leaseRenewalMs = 10_000;

interface IndexerServices {
  readonly database: Pick<Database, "read">;
  readonly texts: TextWriter;
  /** Called when more of a connection's texts can be found although its update continues. */
  readonly onProgress: (connectionId: number) => void;
}

/** Does a step of an update when its turn comes among the updates of all connections. */
type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

export type Indexer = ReturnType<typeof createIndexer>;

/** Keeps the text index up to date with the store. Updates are in steps, between which other calls are answered. */
export function createIndexer({ database, texts, onProgress }: IndexerServices) {
  const db = database.read;
  const worker = randomUUID();
  /** Connections whose index was compared with the store since this started, page by page. */
  const verified = new Set<number>();
  /** The manifest of each connection as it was last seen. */
  let seen: ReadonlyMap<number, string> = new Map();
  const kept = new LRUCache<number, SegmentPages>({
    maxSize: keptPagesBytes,
    sizeCalculation: segmentBytes,
  });
  const takeTurn = createTurns({ atOnce: stepsAtATime });
  let merging: Promise<void> = Promise.resolve();

  async function pagesIn(view: TextView, segment: number): Promise<SegmentPages> {
    const pages = kept.get(segment) ?? decodePages(await view.pageChunks(segment));
    kept.set(segment, pages);
    return pages;
  }

  /** The stored index of a connection. */
  function readIndex(connectionId: number) {
    return texts.snapshot(async (view) => {
      const manifest = await view.manifest(connectionId);
      const segments: { id: number; pages: SegmentPages }[] = [];
      for (const id of manifest?.segments ?? []) segments.push({ id, pages: await pagesIn(view, id) });
      return { storeId: view.storeId, manifest, segments };
    });
  }

  const isCompared = (connectionId: number) => !texts.isRestoredApart || verified.has(connectionId);

  /** The revision up to which a connection is to be indexed; null if its index has everything. */
  async function revisionToIndex(connectionId: number): Promise<number | null> {
    const revision = await graphRevision(db, connectionId);
    if (revision === null || !isCompared(connectionId)) return revision;
    const manifest = await texts.snapshot((view) => view.manifest(connectionId));
    return manifest !== null && manifest.revision >= revision ? null : revision;
  }

  /** Leases a connection, once no other process has it. */
  async function takeLease(connectionId: number, waits: boolean): Promise<boolean> {
    while (!(await texts.lease(connectionId, worker))) {
      if (!waits) return false;
      await sleep(leasePollMs);
    }
    return true;
  }

  /** Renews a lease from time to time; false if another process has taken it. */
  function renewal(connectionId: number): () => Promise<boolean> {
    let renewedAt = performance.now();
    return async () => {
      if (performance.now() - renewedAt < leaseRenewalMs) return true;
      renewedAt = performance.now();
      return texts.lease(connectionId, worker);
    };
  }

  /** Indexes what changed since the index was last updated. False if another process did that at the same time. */
  async function tryToUpdate(connectionId: number, revision: number, inTurn: InTurn): Promise<boolean> {
    const { manifest, segments } = await readIndex(connectionId);
    const isKnown = isCompared(connectionId) && manifest !== null;
    if (isKnown && manifest.revision >= revision) return true;
    const versionOf = versionLookup(segments.map(({ pages }) => pages));
    const added: number[] = [];
    let builder = new SegmentBuilder();

    /** Commits what was added; null where that is everything. */
    const commit = async (position: NodePosition | null): Promise<boolean> => {
      if (builder.pageCount > 0) added.push(await texts.writeSegment(connectionId, builder.finish()));
      builder = new SegmentBuilder();
      const indexed = await indexedShare(connectionId, position);
      const upTo = position === null ? revision : (manifest?.revision ?? 0);
      const isDone = await append(connectionId, added, { revision: upTo, indexed, before: manifest });
      if (isDone && position !== null) onProgress(connectionId);
      return isDone;
    };

    const isLeased = renewal(connectionId);
    const start = { revision: isKnown ? manifest.revision : -1, key: new Uint8Array() };
    for await (const { nodes, end } of differingNodes(connectionId, start, versionOf, inTurn)) {
      await inTurn(() => add(connectionId, nodes, builder));
      if (!(await (builder.isFull ? inTurn(() => commit(end)) : isLeased()))) return false;
    }
    if (!(await inTurn(() => commit(null)))) return false;
    verified.add(connectionId);
    return true;
  }

  /**
   * The nodes behind a position that differ from the index, as many at a time as fit into memory, and a position up to
   * which all were compared.
   */
  async function* differingNodes(
    connectionId: number,
    start: NodePosition,
    versionOf: (key: Uint8Array) => number | null,
    inTurn: InTurn,
  ): AsyncGenerator<{ readonly nodes: readonly ChangedNode[]; readonly end: NodePosition }> {
    for (let end = start; ; ) {
      const nodes = await inTurn(() => searchedNodesAfter(db, connectionId, end, nodesAtATime));
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
  async function add(
    connectionId: number,
    some: readonly ChangedNode[],
    builder: SegmentBuilder,
  ): Promise<void> {
    const stored = await textsOf(
      db,
      connectionId,
      some.filter(({ node }) => node.digest !== null).map(({ node }) => node.key),
    );
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

  /** The share of texts that can be found once everything up to a position is; null stands for the end. */
  async function indexedShare(connectionId: number, position: NodePosition | null): Promise<number> {
    const { all, awaited } = await countTexts(db, connectionId);
    const ahead = position === null ? 0 : await countChangedAfter(db, connectionId, position);
    return all === 0 ? 1 : Math.max(0, Math.floor((1 - (awaited + ahead) / all) * 10_000) / 10_000);
  }

  /** Puts segments behind those of the manifest. A merge may have replaced some of these, but no other process indexed more. */
  async function append(
    connectionId: number,
    added: readonly number[],
    {
      before,
      ...next
    }: Pick<TextManifest, "revision" | "indexed"> & { readonly before: TextManifest | null },
  ): Promise<boolean> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const { manifest } = await readIndex(connectionId);
      if ((manifest?.revision ?? 0) > (before?.revision ?? 0)) return false;
      const segments = [...new Set([...(manifest?.segments ?? []), ...added])];
      if (await texts.commit(connectionId, { ...next, segments }, manifest)) return true;
    }
    return false;
  }

  /** Merges segments of a connection until there are few (see `planMerge`). */
  async function mergeAll(connectionId: number): Promise<void> {
    while (await mergeSome(connectionId)) await setImmediate();
  }

  async function mergeSome(connectionId: number): Promise<boolean> {
    const { segments } = await readIndex(connectionId);
    if (segments.length === 0) return false;
    const ids = packIds(await nodeKeysOf(db, connectionId));
    const live = liveSegments(segments, ids);
    const chosen = planMerge(
      live.map(({ pages, live: { sectionCount } }) => ({
        sections: pages.sectionCount,
        liveSections: sectionCount,
      })),
    ).flatMap((index) => live[index] ?? []);
    if (chosen.length === 0) return false;
    const merged = mergeSegments(chosen, texts.blocks);
    const id = merged.pages.pageCount === 0 ? null : await texts.writeSegment(connectionId, merged);
    return replace(
      connectionId,
      chosen.map((segment) => segment.id),
      id,
    );
  }

  /** Puts a merged segment in the place of the newest of those that it was made of. False if another process changed them. */
  async function replace(
    connectionId: number,
    merged: readonly number[],
    id: number | null,
  ): Promise<boolean> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const { manifest } = await readIndex(connectionId);
      if (manifest === null || !merged.every((segment) => manifest.segments.includes(segment))) return false;
      const segments = manifest.segments.flatMap((segment) => {
        if (!merged.includes(segment)) return [segment];
        return segment === merged.at(-1) && id !== null ? [id] : [];
      });
      if (await texts.commit(connectionId, { ...manifest, segments }, manifest)) return true;
    }
    return false;
  }

  return {
    /**
     * Brings a connection's index up to date. While another process does that it waits, unless `waits` is false: then it
     * returns false.
     */
    async update(connectionId: number, { waits }: { readonly waits: boolean }): Promise<boolean> {
      const owner = {};
      const inTurn: InTurn = (work) => takeTurn(owner, work);
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        const revision = await inTurn(() => revisionToIndex(connectionId));
        if (revision === null) return true;
        if (!(await takeLease(connectionId, waits))) return false;
        try {
          if (await tryToUpdate(connectionId, revision, inTurn)) return true;
        } finally {
          await texts.release(connectionId, worker);
        }
      }
      throw new Error(`another process kept changing the text index of connection ${connectionId}`);
    },

    /** The connections whose latest published revision is not indexed. */
    async outdated(): Promise<number[]> {
      const published = await publishedRevisions(db);
      const manifests = await texts.snapshot((view) => view.manifests());
      return [...published].flatMap(([id, revision]) => {
        const manifest = manifests.get(id);
        return isCompared(id) && manifest !== undefined && manifest.revision >= revision ? [] : [id];
      });
    },

    /** The connections whose index is another than at the last call, whichever process changed it. */
    async changed(): Promise<number[]> {
      const manifests = await texts.snapshot((view) => view.manifests());
      const states = new Map([...manifests].map(([id, manifest]) => [id, JSON.stringify(manifest)]));
      const changed = [...states].flatMap(([id, state]) => (seen.get(id) === state ? [] : [id]));
      seen = states;
      return changed;
    },

    /** Merges segments in the background, one connection after the other; `onError` receives what fails. */
    mergeLater(connectionId: number, onError: (error: unknown) => void): void {
      merging = merging.then(() => mergeAll(connectionId)).catch(onError);
    },

    /** The index as a graph sees it. */
    async open(connectionId: number, graphIds: NodeIds): Promise<TextSnapshot> {
      const { storeId, manifest, segments } = await readIndex(connectionId);
      const indexed = manifest?.indexed ?? (graphIds.length === 0 ? 1 : 0);
      return {
        storeId,
        revision: manifest?.revision ?? 0,
        indexed,
        segments: liveSegments(segments, graphIds),
      };
    },

    /** Deletes what is of no use any more: removed connections and replaced segments. */
    async tidy(): Promise<void> {
      // In this order: nothing of a connection is indexed before it is stored, and ids are never used again.
      const indexed = await texts.connectionIds();
      const stored = new Set(await connectionIds(db));
      await texts.removeConnections(indexed.filter((id) => !stored.has(id)));
      while (await texts.removeDropped(droppedSegmentMs)) await setImmediate();
    },

    /** Waits for merges, then closes the index. */
    async close(): Promise<void> {
      await merging;
      await texts.close();
    },
  };
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

/** A number that differs once anything that is indexed of the node differs. */
function versionOfNode({ title, aliases, properties, digest }: SearchedNode): number {
  const hash = createHash("sha256").update(JSON.stringify([title, aliases, properties, digest]));
  return hash.digest().readUIntBE(0, 6);
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

/** Segments with the pages that are found in them: those whose ids are among these. */
function liveSegments(
  segments: readonly { readonly id: number; readonly pages: SegmentPages }[],
  ids: NodeIds,
): StoredSegment[] {
  const find = idLookup(ids);
  const packed = new Map(segments.map(({ pages }) => [pages.ids, packIds(pages.ids)]));
  const live = findLivePages(
    segments.map(({ pages }) => pages),
    ids.length / 4,
    (of, start) => find(packed.get(of) ?? new Uint32Array(), start / 16),
  );
  return segments.flatMap(({ id, pages }, index) => {
    const own = live[index];
    return own === undefined ? [] : [{ id, pages, live: own }];
  });
}

import { Graph } from "@clew/graph";
import type { Connection } from "../model/connection.ts";
import type { Clock } from "../model/runtime.ts";
import type { Database } from "../store/port.ts";
import { storedVersion } from "../store/queries/changes.ts";
import type { TextIndex } from "../texts/text-index.ts";
import { GraphTexts, noTexts } from "../texts/text-snapshots.ts";
import { GraphBuilder } from "./builder.ts";
import { type BuiltGraph, createGraphCache, type PublishedGraph, versionGraceMs } from "./graph-cache.ts";
import type { GraphFiles } from "./graph-files.ts";
import { publishStored } from "./publish-stored.ts";

interface GraphsOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Without it no texts are searched. */
  readonly texts?: Pick<TextIndex, "update" | "open" | "reset">;
  /** Keeps built graphs over a restart. Without it each is built again. */
  readonly files?: Pick<GraphFiles, "read" | "keep" | "forget" | "close">;
  /** Called when graphs have been replaced or dropped. */
  readonly onDropped?: () => void;
  /** Receives errors of builds in the background. The older graph is served on, and the next use tries again. */
  readonly onError?: (error: unknown) => void;
  /** Bytes for all graphs in memory; `graphBudget` if left out. */
  readonly budget?: number;
}

const isOutdated = ({ version }: PublishedGraph, { publishedRevision }: Connection): boolean =>
  version < publishedRevision;

/** Of a connection that is gone. */
const noVersion = { revision: 0, mark: null };

const minBudget = 256 * 1024 ** 2;

/** The bytes that graphs in memory may take: a quarter of what is available now, but at least 256 MiB. */
export const graphBudget = () => Math.max(minBudget, process.availableMemory() / 4);

/**
 * The graphs that are served: read from their files or built from the store, kept in memory within a budget, and replaced as a
 * whole.
 */
export class Graphs {
  readonly #database: Database;
  readonly #texts: GraphsOptions["texts"];
  readonly #files: GraphsOptions["files"];
  readonly #onDropped: () => void;
  readonly #onError: (error: unknown) => void;
  readonly #cache: ReturnType<typeof createGraphCache>;
  readonly #builder: GraphBuilder;
  readonly #builds = new Map<number, Promise<PublishedGraph>>();
  /** Removed connections: a running build must not bring back their graphs. Connection ids are never reused. */
  readonly #forgotten = new Set<number>();
  readonly #listeners = new Set<(connectionId: number) => void>();
  #isClosed = false;

  constructor({
    database,
    clock,
    texts,
    files,
    onDropped = () => {},
    onError = () => {},
    budget,
  }: GraphsOptions) {
    this.#database = database;
    this.#texts = texts;
    this.#files = files;
    this.#onDropped = onDropped;
    this.#onError = onError;
    this.#cache = createGraphCache(clock, budget ?? graphBudget());
    this.#builder = new GraphBuilder(database);
  }

  /**
   * A connection's newest graph; empty before the first sync. Waits for a build if the graph is not in memory. If another
   * instance has published a newer one, the older is served until that is built, unless it has no nodes.
   */
  async current(connection: Connection): Promise<PublishedGraph> {
    const { id } = connection;
    const latest = this.#cache.use(id).latest();
    if (!latest) return this.#buildOnce(id);
    // An empty one would say of every page that it does not exist, although the first sync was seen to end.
    if (isOutdated(latest, connection) && latest.graph.nodeCount === 0) return this.#buildOnce(id);
    this.#catchUp(connection, latest);
    return latest;
  }

  /** The graph of a version, to continue reading in it; null if it was replaced more than a minute ago. */
  async version({ id }: Connection, version: number): Promise<PublishedGraph | null> {
    const found = this.#cache.use(id).find(version);
    if (found) return found;
    const latest = this.#cache.use(id).latest();
    // Another instance may have published a newer version.
    if (!latest || latest.version < version) await this.#buildAtLeast(id, version);
    return this.#cache.use(id).find(version);
  }

  /**
   * A connection's newest graph in memory, without waiting and without marking it as used; null if there is none. If another instance
   * has published a newer one, that is built for the next call.
   */
  loaded(connection: Connection): PublishedGraph | null {
    const latest = this.#cache.peek(connection.id);
    if (latest !== null) this.#catchUp(connection, latest);
    return latest;
  }

  /** Publishes a connection's stored graph: on this instance at once, on others when they are next asked for it. */
  async publish(connectionId: number): Promise<void> {
    const texts = this.#isClosed ? undefined : this.#texts;
    const version = await publishStored({ database: this.#database, texts }, connectionId);
    if (this.#isClosed) return;
    await this.#buildAtLeast(connectionId, version).catch((error) => {
      // `close` ends builds, which is no error.
      if (!this.#isClosed) throw error;
    });
  }

  /** Lets the newest graph of a connection see what was added to its text index since it was published. */
  refreshTexts(connectionId: number): void {
    this.#cache
      .peek(connectionId)
      ?.texts.refresh()
      .catch((error) => this.#report(error));
  }

  /** Deletes the text index, which was found to be damaged; it is built again in the background. */
  async resetTexts(): Promise<void> {
    await this.#texts?.reset();
  }

  /** Whether a connection's graph may still be asked for. */
  holds(connectionId: number, graph: Graph): boolean {
    return this.#cache.holds(connectionId, graph);
  }

  /** Calls back with the connection whenever a graph was built, until the returned function is called. */
  onBuilt(listener: (connectionId: number) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The connections whose graphs are in memory. */
  heldIds(): readonly number[] {
    return this.#cache.connectionIds();
  }

  /** Bytes of all graphs in memory, and of their snapshots of the text index. */
  heldBytes(): { readonly graphs: number; readonly texts: number } {
    return this.#cache.bytes();
  }

  /** Drops the graphs of a removed connection. */
  forget(connectionId: number): void {
    this.#forgotten.add(connectionId);
    this.#cache.forget(connectionId);
    this.#files?.forget(connectionId);
    this.#onDropped();
  }

  /** Stops building: waiting calls are rejected, and what is published from now on is built by other instances. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#builder.close(), this.#files?.close()]);
  }

  /** Builds a graph in the background if another instance has published a newer one. */
  #catchUp(connection: Connection, latest: PublishedGraph): void {
    if (!isOutdated(latest, connection) || this.#builds.has(connection.id)) return;
    this.#buildOnce(connection.id).catch((error) => this.#report(error));
  }

  /** Starts a build, or joins the running one. */
  #buildOnce(connectionId: number): Promise<PublishedGraph> {
    const running = this.#builds.get(connectionId);
    if (running) return running;
    const started = this.#build(connectionId).finally(() => this.#builds.delete(connectionId));
    this.#builds.set(connectionId, started);
    return started;
  }

  /** A running build may have read the store before `version` was published: then another one follows. */
  async #buildAtLeast(connectionId: number, version: number): Promise<PublishedGraph> {
    const running = await this.#builds.get(connectionId)?.catch(() => null);
    const latest = running ?? this.#cache.peek(connectionId);
    return latest && latest.version >= version ? latest : this.#buildOnce(connectionId);
  }

  async #build(connectionId: number): Promise<PublishedGraph> {
    const built = (await this.#fromFile(connectionId)) ?? (await this.#fromStore(connectionId));
    const texts = this.#texts;
    const open = texts && (() => texts.open(connectionId, built.graph.columns.ids));
    const published = { ...built, texts: open === undefined ? noTexts : new GraphTexts(open) };
    if (this.#forgotten.has(connectionId)) return published;
    // From now on the graph sees the texts that it was published with. If that fails, the first use repeats it.
    published.texts.snapshot().catch(() => {});
    this.#cache.place(connectionId, published);
    this.#onDropped();
    for (const listener of this.#listeners) listener(connectionId);
    // Frees a replaced graph on time even if no request follows.
    setTimeout(() => this.#prune(connectionId), versionGraceMs + 1).unref();
    return published;
  }

  /** The stored graph as a file has it; null if none does. */
  async #fromFile(connectionId: number): Promise<BuiltGraph | null> {
    if (this.#files === undefined) return null;
    const { revision, mark } = (await storedVersion(this.#database.read, connectionId)) ?? noVersion;
    const columns = mark === null ? null : await this.#files.read({ connectionId, revision, mark });
    return columns && { graph: new Graph(columns), version: revision };
  }

  async #fromStore(connectionId: number): Promise<BuiltGraph> {
    const earlier = this.#cache.peek(connectionId);
    const { graph, version, mark } = await this.#builder.build(connectionId, earlier);
    if (mark !== null) this.#files?.keep({ connectionId, revision: version, mark }, graph.columns);
    return { graph, version };
  }

  #prune(connectionId: number): void {
    this.#cache.prune(connectionId);
    this.#onDropped();
  }

  /** Reports the error of a build in the background. `close` ends builds, which is no error. */
  #report(error: unknown): void {
    if (!this.#isClosed) this.#onError(error);
  }
}

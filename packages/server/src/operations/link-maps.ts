import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Graph } from "@clew/graph";
import type { ThreadError } from "@clew/threads";
import type { DatabaseLocation } from "../model/database-location.ts";
import { busy } from "../queries/job-queue.ts";
import type { IsHeld } from "../queries/query-thread.ts";
import { type JobReport, QueryThreads } from "../queries/query-threads.ts";
import type { Database } from "../store/port.ts";
import {
  findMap,
  leaseMap,
  mapBytes,
  mapState,
  releaseMap,
  type StoredMap,
  saveMap,
} from "../store/queries/maps.ts";

interface LinkMapsOptions {
  readonly database: Pick<Database, "read" | "transaction" | "clock"> & {
    readonly location: DatabaseLocation;
  };
  /** Receives why a thread ended, or why a map could not be made. */
  readonly onError: (error: unknown) => void;
  readonly onJob?: (report: JobReport) => void;
  /** Milliseconds that a caller waits for a map that is being made. */
  readonly waitMs?: number;
}

/** A published graph that a map is asked for. */
interface MappedGraph {
  readonly connectionId: number;
  readonly graph: Graph;
  readonly version: number;
}

/** Milliseconds for which a map is leased, and after which its lease is renewed. */
const leaseMs = 30_000;
const renewalMs = 10_000;

/** Milliseconds between two looks whether another instance has made a map. */
const pollMs = 250;

/** Milliseconds in which a map must be made: a million pages take about 15 s. */
const deadlineMs = 120_000;

/** Milliseconds that a caller waits. A client that is refused then finds the map a little later. */
export const mapWaitMs = 25_000;

/**
 * The maps by links (GRAPH-30). A map is made when it is asked for and the stored one is of an older graph: by one instance, under
 * the lease of its connection, in a thread of its own, started from the one before. Callers wait meanwhile: the places of a
 * map have the order of one version of the graph, so that an older map would name the wrong pages.
 */
export class LinkMaps {
  readonly #database: LinkMapsOptions["database"];
  readonly #onError: (error: unknown) => void;
  readonly #threads: QueryThreads;
  readonly #waitMs: number;
  readonly #worker = randomUUID();
  readonly #making = new Map<number, Promise<void>>();
  #isClosed = false;

  constructor({ database, onError, onJob, waitMs = mapWaitMs }: LinkMapsOptions) {
    this.#database = database;
    this.#onError = onError;
    this.#waitMs = waitMs;
    this.#threads = new QueryThreads({
      location: database.location,
      maxThreads: 1,
      deadlineMs,
      onError: (error: ThreadError) => onError(error),
      ...(onJob === undefined ? {} : { onJob }),
    });
  }

  /**
   * The stored map of this version of a graph or of a newer one. Throws `ApiError` `unavailable` if it is not made in time; it is
   * made all the same.
   */
  async current(source: MappedGraph, caller: string, signal?: AbortSignal): Promise<StoredMap> {
    const began = performance.now();
    for (;;) {
      const stored = await findMap(this.#database.read, source.connectionId);
      if (stored !== null && stored.graphVersion >= source.version) return stored;
      const left = this.#waitMs - (performance.now() - began);
      if (left <= 0 || signal?.aborted === true || this.#isClosed) throw busy("The map is being made.");
      const making = this.#making.get(source.connectionId) ?? (await this.#tryToMake(source, caller));
      if (making === null) await sleep(pollMs);
      else await Promise.race([making, sleep(left, undefined, { ref: false })]);
    }
  }

  /** The bytes of a stored map. Throws `ApiError` `unavailable` if a newer one has replaced it. */
  async bytes(connectionId: number, { digest }: StoredMap): Promise<Uint8Array> {
    const bytes = await mapBytes(this.#database.read, connectionId, digest);
    if (bytes === null) throw busy("A newer map has been made.");
    return bytes;
  }

  /** Lets go of the graphs that no job can be about any more. */
  retain(isHeld: IsHeld): void {
    this.#threads.retain(isHeld);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#threads.close();
    await Promise.allSettled(this.#making.values());
  }

  /** Begins to make a map if no other instance does; null if one does. */
  async #tryToMake(source: MappedGraph, caller: string): Promise<Promise<void> | null> {
    const { connectionId } = source;
    if (!(await this.#lease(connectionId))) return null;
    // Another caller of this instance may have begun meanwhile: the lease is that of both.
    const known = this.#making.get(connectionId);
    if (known !== undefined) return known;
    const making = this.#make(source, caller);
    // Callers that wait see the error; without any, nobody would.
    making.catch(() => {});
    this.#making.set(connectionId, making);
    return making;
  }

  async #make({ connectionId, graph, version }: MappedGraph, caller: string): Promise<void> {
    const claim = { connectionId, worker: this.#worker };
    const renewal = setInterval(() => void this.#lease(connectionId).catch(this.#onError), renewalMs);
    try {
      const before = await mapState(this.#database.read, connectionId);
      const sources = [{ connectionId, graph }];
      const made = await this.#threads.run("linkMap", { version, before }, { caller, sources });
      await this.#database.transaction((trx) =>
        saveMap(trx, claim, {
          graphVersion: version,
          digest: made.digest,
          // Drivers take no memory that threads share.
          bytes: Buffer.from(made.map),
          state: Buffer.from(made.state),
        }),
      );
    } catch (error) {
      await this.#database.transaction((trx) => releaseMap(trx, claim)).catch(this.#onError);
      throw error;
    } finally {
      clearInterval(renewal);
      this.#making.delete(connectionId);
    }
  }

  async #lease(connectionId: number): Promise<boolean> {
    const now = this.#database.clock();
    const claim = { connectionId, worker: this.#worker };
    return this.#database.transaction((trx) => leaseMap(trx, claim, { now, until: now + leaseMs }));
  }
}

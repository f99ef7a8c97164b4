import { setTimeout } from "node:timers/promises";
import type { NamedObject } from "@clew/provider";
import type { SyncRequest, Syncs } from "../connections/request-sync.ts";
import type { Clock, Sleep } from "../model/runtime.ts";

/** Milliseconds that an edit waits at most. Reading it takes up to two seconds more, so it shows ten after its save. */
const maxWaitMs = 8_000;

/** The lists that clients page through, wherever they are answered. */
export interface ReadLists {
  /** The milliseconds for which a client still counts as paging through a list of a connection; 0 if none does. */
  readingLeft(connectionId: number): number | Promise<number>;
}

interface WaitingEditsOptions {
  readonly sync: Pick<Syncs, "request">;
  readonly lists: ReadLists;
  readonly clock: Clock;
  /** Waits; by default without keeping the process alive. */
  readonly sleep?: Sleep | undefined;
}

/** Requests of a connection that wait together. */
interface Waiting {
  /** The objects that they name, by id. */
  readonly named: Map<string, NamedObject>;
  /** Those that name nothing: of each extent one is enough. */
  readonly unnamed: Map<SyncRequest["only"], SyncRequest>;
  readonly stored: Promise<void>;
}

/**
 * Requests the syncs of edits in watched sources: at once, or once no client pages any more through a list that a new version
 * of the graph would end (SRC-2). Edits that come meanwhile wait with the first one, and never beyond its time.
 */
export class WaitingEdits implements Pick<Syncs, "request"> {
  readonly #options: WaitingEditsOptions;
  readonly #stopping = new AbortController();
  readonly #waiting = new Map<number, Waiting>();

  constructor(options: WaitingEditsOptions) {
    this.#options = options;
  }

  /** Requests a sync, or joins a request that waits. Resolves once it is stored. */
  request(connectionId: number, request: SyncRequest = {}): Promise<void> {
    const waiting = this.#waiting.get(connectionId) ?? this.#begin(connectionId);
    const { only } = request;
    if (only === undefined || only === "edits") waiting.unnamed.set(only, request);
    else for (const object of only) waiting.named.set(object.id, object);
    return waiting.stored;
  }

  /** Stores what waits, without waiting any longer. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error("Clew is stopping"));
    await Promise.allSettled([...this.#waiting.values()].map(({ stored }) => stored));
  }

  #begin(connectionId: number): Waiting {
    const stored = this.#wait(connectionId).then(() => this.#store(connectionId));
    const waiting = { named: new Map(), unnamed: new Map(), stored };
    this.#waiting.set(connectionId, waiting);
    return waiting;
  }

  async #wait(connectionId: number): Promise<void> {
    const { lists, clock, sleep = pause } = this.#options;
    const { signal } = this.#stopping;
    const until = clock() + maxWaitMs;
    while (!signal.aborted) {
      // If the thread that answers has ended, nothing is waited for.
      const left = Math.min(
        await Promise.resolve(lists.readingLeft(connectionId)).catch(() => 0),
        until - clock(),
      );
      if (left <= 0) return;
      await sleep(left, signal).catch(() => {});
    }
  }

  async #store(connectionId: number): Promise<void> {
    const waiting = this.#waiting.get(connectionId);
    if (waiting === undefined) return;
    // The sync that begins may miss what comes from now on.
    this.#waiting.delete(connectionId);
    const { sync } = this.#options;
    // Only a watch names what it has noticed.
    if (waiting.named.size > 0)
      await sync.request(connectionId, { by: "watch", only: [...waiting.named.values()] });
    for (const request of waiting.unnamed.values()) await sync.request(connectionId, request);
  }
}

const pause: Sleep = (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal, ref: false });

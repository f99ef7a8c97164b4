import type { Clock } from "../model/runtime.ts";

/** Milliseconds after a cursor for which its client counts as paging through the list. */
const readingMs = 10_000;

/** The connections that are kept. Without its time, a connection counts as one without such a client. */
const maxConnections = 10_000;

/**
 * The times at which lists of texts, rows or recent changes last gave a cursor, by connection. These cursors end with the next
 * version of the graph, so edits of a watched source wait a little while a client pages through them (SRC-2). Kept in memory: it knows the
 * answers of its own process.
 */
export class GivenCursors {
  readonly #clock: Clock;
  /** The oldest first. */
  readonly #givenAt = new Map<number, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes that a list of these connections gave a cursor now. */
  note(connectionIds: Iterable<number>): void {
    const now = this.#clock();
    for (const id of connectionIds) {
      this.#givenAt.delete(id);
      this.#givenAt.set(id, now);
    }
    for (const id of this.#givenAt.keys()) {
      if (this.#givenAt.size <= maxConnections) break;
      this.#givenAt.delete(id);
    }
  }

  /** The milliseconds for which a client still counts as paging through a list of a connection; 0 if none does. */
  readingLeft(connectionId: number): number {
    const givenAt = this.#givenAt.get(connectionId);
    if (givenAt === undefined) return 0;
    // A clock that is set back must not make it longer.
    return Math.min(readingMs, Math.max(0, givenAt + readingMs - this.#clock()));
  }
}

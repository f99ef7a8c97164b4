import type { Clock } from "../model/runtime.ts";

/** Milliseconds for which somebody who was given a cursor counts as reading on. */
const readingMs = 10_000;

/** The connections that are kept. Without its time, a connection counts as one that nobody reads. */
const maxConnections = 10_000;

/**
 * The times at which lists of texts, rows or recent changes last gave a cursor, by connection. These cursors end with the next
 * version of the graph, so edits of a watched source wait a little while somebody reads on (SRC-2). Kept in memory: it knows the
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

  /** The milliseconds for which somebody still counts as reading a list of a connection on; 0 if nobody does. */
  readingLeft(connectionId: number): number {
    const givenAt = this.#givenAt.get(connectionId);
    if (givenAt === undefined) return 0;
    // A clock that is set back must not make it longer.
    return Math.min(readingMs, Math.max(0, givenAt + readingMs - this.#clock()));
  }
}

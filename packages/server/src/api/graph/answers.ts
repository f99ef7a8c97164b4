import type { ReadableGraph } from "../../publication/readable.ts";

/** Answers that were given before. */
export interface Answers {
  /**
   * What is answered, or was when the same was asked. To be called once it is known what the caller may read: that is
   * asked anew for every request (GRAPH-10).
   */
  remember<Message>(asked: Asked, make: () => Answer<Message>): Message;
}

/** All that an answer follows from. */
interface Asked {
  readonly userId: string;
  /** Path and query: they tell what is asked, and so what kind of message the answer is. */
  readonly url: string;
  /** What the answer is read from: an edition of a graph never changes. */
  readonly sources: readonly Pick<ReadableGraph, "connection" | "edition">[];
}

interface Answer<Message> {
  readonly message: Message;
  /** Nodes and edges in it. */
  readonly size: number;
  /** Whether it would be the same the next time: what was cut because time was up would not. */
  readonly isLasting: boolean;
}

/** Nodes and edges that are kept in answers: with their texts, each has about a kilobyte. */
const keptAtMost = 20_000;

export function createAnswers(): Answers {
  const known = new Map<string, unknown>();
  let kept = 0;
  return {
    remember<Message>({ userId, url, sources }: Asked, make: () => Answer<Message>): Message {
      const editions = sources.map(({ connection, edition }) => `${connection.id}.${edition}`);
      const key = `${userId} ${editions} ${url}`;
      // The URL stands in the key: it always has the same kind of message.
      if (known.has(key)) return known.get(key) as Message;
      const { message, size, isLasting } = make();
      if (!isLasting || size > keptAtMost) return message;
      if (kept + size > keptAtMost) {
        known.clear();
        kept = 0;
      }
      known.set(key, message);
      // An answer without any takes up some memory too.
      kept += size + 1;
      return message;
    },
  };
}

import { LRUCache } from "lru-cache";
import { willRepeat } from "../http/repeated.ts";
import type { ReadableGraph } from "../publication/readable.ts";

/** Answers to what is asked again and again. What is asked once leaves no more than that it was. */
export interface Answers {
  /**
   * What is answered, or was when the same was asked. To be called once it is known what the caller may read: that is
   * asked anew for every request (GRAPH-10).
   */
  remember<Message extends object>(asked: Asked, make: () => Answer<Message>): Message;
}

/** All that an answer follows from. */
export interface Asked {
  readonly userId: string;
  /** The question as it was put: it tells what is asked, and so what kind of message the answer is. */
  readonly words: string;
  /** The connections that the caller may read: cursors in the answer are bound to them. */
  readonly readable: readonly { readonly id: number }[];
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

/** Questions of which it is known that they were asked once. */
const askedAtMost = 10_000;

/** Nodes and edges that are kept in answers: with their texts, each has about a kilobyte. */
const keptAtMost = 20_000;

export function createAnswers(): Answers {
  const known = new LRUCache<string, object>({ maxSize: keptAtMost });
  const askedOnce = new LRUCache<string, true>({ max: askedAtMost });

  /** To keep what nobody asks for again costs more than to make it. */
  function isAskedAgain(key: string): boolean {
    if (askedOnce.delete(key)) return true;
    askedOnce.set(key, true);
    return false;
  }

  return {
    remember<Message extends object>(
      { userId, words, readable, sources }: Asked,
      make: () => Answer<Message>,
    ): Message {
      const editions = sources.map(({ connection, edition }) => `${connection.id}.${edition}`);
      const key = `${userId} ${readable.map(({ id }) => id)} ${editions} ${words}`;
      const before = known.get(key);
      // The question stands in the key: it always has the same kind of message.
      if (before !== undefined) return before as Message;
      const { message, size, isLasting } = make();
      if (!isLasting || !isAskedAgain(key)) return message;
      // An answer without any takes up some memory too. One that is larger than all that is kept is not kept.
      known.set(key, willRepeat(message), { size: size + 1 });
      return message;
    },
  };
}

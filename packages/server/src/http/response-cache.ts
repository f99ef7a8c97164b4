import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type Awaitable, whenThere } from "../model/awaitable.ts";
import { whenWritten } from "./written-body.ts";

/**
 * Keeps answers that are asked for again and again, with their bodies, bounded in bytes. Of what is asked for once it
 * keeps a digest of the question alone.
 */
export interface ResponseCache {
  /**
   * The message under this key: the one that is kept, or the one that `make` makes. The key must hold all that the
   * message follows from, its kind and whom it is for included.
   */
  remember<Message extends object>(
    cacheKey: string,
    make: () => Awaitable<MadeMessage<Message>>,
  ): Awaitable<Message>;
  /** Bytes that are kept, by an estimate that is not too low. */
  readonly byteLength: number;
}

interface MadeMessage<Message> {
  readonly message: Message;
  /** Whether it would be the same the next time: what was cut because time was up would not. */
  readonly isRepeatable: boolean;
}

/** Bytes that may be kept. */
const maximumBytes = 64 * 1024 * 1024;

/** A longer body is written anew each time. */
const maximumBody = 1024 * 1024;

/** A message takes up about twice the bytes of its body, beside them. */
const bytesPerBodyByte = 3;

/** What an entry takes up beside that: the digest, and its place in the cache. */
const bytesPerEntry = 400;

/** Questions that are known to have been asked once, of some 150 bytes each. */
const maximumAskedOnce = 10_000;

export function createResponseCache(maxSize = maximumBytes): ResponseCache {
  const kept = new LRUCache<string, object>({ maxSize });
  const askedOnce = new LRUCache<string, true>({ max: maximumAskedOnce });

  /** To keep what nobody asks for again costs more than to make it. */
  function isAskedAgain(digest: string): boolean {
    if (askedOnce.delete(digest)) return true;
    askedOnce.set(digest, true);
    return false;
  }

  function keep(digest: string, message: object, { length }: Buffer): boolean {
    if (length > maximumBody) return false;
    kept.set(digest, message, { size: bytesPerEntry + bytesPerBodyByte * length });
    return kept.has(digest);
  }

  return {
    remember<Message extends object>(cacheKey: string, make: () => Awaitable<MadeMessage<Message>>) {
      const digest = hash("sha256", cacheKey, "base64url");
      const known = kept.get(digest);
      // The key tells the kind of message.
      if (known !== undefined) return known as Message;
      return whenThere(make(), ({ message, isRepeatable }) => {
        if (isRepeatable && isAskedAgain(digest)) whenWritten(message, (body) => keep(digest, message, body));
        return message;
      });
    },
    get byteLength() {
      return kept.calculatedSize;
    },
  };
}

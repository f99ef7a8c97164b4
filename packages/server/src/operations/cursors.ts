import { createHmac, createSecretKey, hash, timingSafeEqual } from "node:crypto";
import { ApiError } from "../model/api-error.ts";
import type { Secrets } from "../secrets/secrets.ts";

/**
 * Positions in lists, opaque to whoever holds them (GRAPH-12). `binding` says what a cursor is good for: the
 * operation, the caller, what the caller may read and every parameter that shapes the list. It is not part of the
 * cursor, so that nothing of it leaves, but a cursor is refused under any other.
 */
export interface Cursors {
  /** A cursor for a position, which is plain JSON. */
  encode(binding: string, position: unknown): string;
  /** The position that was encoded under the same binding. Throws `ApiError` `invalid_cursor` for anything else. */
  decode(binding: string, cursor: string): unknown;
}

/** Bytes of the authentication tag: HMAC-SHA256 truncated to its left half (RFC 2104, section 5). */
const tagBytes = 16;

/** A cursor is base64url of the tag and the position's JSON. Every instance with the same key reads it. */
export function createCursors(secrets: Pick<Secrets, "deriveKey">): Cursors {
  // Of bytes, each authentication would make a key first, which takes five times as long.
  const key = createSecretKey(secrets.deriveKey("cursor"));

  /** The binding goes in as a digest of fixed length, so that no part of it can pass for one of the position. */
  const tagOf = (binding: string, position: Uint8Array): Uint8Array => {
    const bound = hash("sha256", binding, "buffer");
    return createHmac("sha256", key).update(bound).update(position).digest().subarray(0, tagBytes);
  };

  return {
    encode(binding, position) {
      const json = Buffer.from(JSON.stringify(position));
      return Buffer.concat([tagOf(binding, json), json]).toString("base64url");
    },

    decode(binding, cursor) {
      const bytes = Buffer.from(cursor, "base64url");
      const tag = bytes.subarray(0, tagBytes);
      const json = bytes.subarray(tagBytes);
      // Decoding forgives padding, line ends and stray bits: only the one spelling that was given out counts.
      const canonical = tag.length === tagBytes && bytes.toString("base64url") === cursor;
      if (!canonical || !timingSafeEqual(tag, tagOf(binding, json))) throw invalidCursor();
      return JSON.parse(json.toString());
    },
  };
}

function invalidCursor(): ApiError {
  return new ApiError("invalid_cursor", "The cursor was altered, or belongs to another request.", {
    faults: [{ path: "?cursor", message: "is not a cursor of this list" }],
  });
}

import { createHmac, createSecretKey, hash, timingSafeEqual } from "node:crypto";
import { ApiError } from "../model/api-error.ts";
import type { Secrets } from "../secrets/secrets.ts";

/** Positions in one list, opaque to clients (GRAPH-12). A position is plain JSON. */
export interface Cursors<Position> {
  encode(position: Position): string;
  /** The position that was encoded for the same list. Throws `ApiError` `invalid_cursor` for anything else. */
  decode(cursor: string): Position;
}

/**
 * The request to which a cursor is bound. It is not in the cursor, so nothing leaks. A cursor is refused if any part of it differs.
 */
interface CursorBinding {
  readonly list: string;
  /**
   * The version of the format of positions. Raise it with every change of their shape or meaning: older cursors are then
   * refused.
   */
  readonly version: number;
  /** The caller, what the caller may read, and every parameter that shapes the list, as plain JSON. */
  readonly parameters: readonly unknown[];
}

export type CursorFactory = <Position>(binding: CursorBinding) => Cursors<Position>;

/** Bytes of the authentication tag: HMAC-SHA256 truncated to its left half (RFC 2104, section 5). */
const tagBytes = 16;

/** A cursor is base64url of the tag and the position's JSON. Every instance with the same key reads it. */
export function createCursorFactory(secrets: Pick<Secrets, "deriveKey">): CursorFactory {
  // A key object, because an HMAC from bytes would make one each time, at five times the cost.
  const key = createSecretKey(secrets.deriveKey("cursor"));

  return <Position>({ list, version, parameters }: CursorBinding): Cursors<Position> => {
    /** The binding is hashed to a fixed length, so that no part of it can pass for one of the position. */
    const tagOf = (json: Uint8Array): Uint8Array => {
      const bound = hash("sha256", JSON.stringify([list, version, parameters]), "buffer");
      return createHmac("sha256", key).update(bound).update(json).digest().subarray(0, tagBytes);
    };
    return {
      encode(position) {
        const json = Buffer.from(JSON.stringify(position));
        return Buffer.concat([tagOf(json), json]).toString("base64url");
      },
      decode(cursor) {
        const bytes = Buffer.from(cursor, "base64url");
        const tag = bytes.subarray(0, tagBytes);
        const json = bytes.subarray(tagBytes);
        // Decoding ignores padding, line ends and stray bits: only the spelling that was issued is valid.
        const isCanonical = tag.length === tagBytes && bytes.toString("base64url") === cursor;
        if (!isCanonical || !timingSafeEqual(tag, tagOf(json)))
          throw new ApiError("invalid_cursor", "The cursor was altered, or belongs to another request.", {
            errors: [{ path: "?cursor", message: "is not a cursor of this list" }],
          });
        return JSON.parse(json.toString());
      },
    };
  };
}

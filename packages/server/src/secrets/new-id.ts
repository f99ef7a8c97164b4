import { v4 } from "uuid";
import type { RandomBytes } from "../model/runtime.ts";

/** A random id: a version 4 UUID, lower-case with dashes (RFC 9562, section 5.4). */
export function newId(random: RandomBytes): string {
  // A copy, because the library writes the version into the bytes.
  return v4({ random: Uint8Array.from(random(16)) });
}

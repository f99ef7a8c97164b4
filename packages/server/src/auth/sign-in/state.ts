import { createHash } from "node:crypto";
import type { RandomBytes } from "../../model/runtime.ts";

/** A value that nobody can guess: 256 random bits, base64url. */
export function newSecret(random: RandomBytes): string {
  return Buffer.from(random(32)).toString("base64url");
}

/** Whether a text is shaped as `newSecret` makes them: whatever is not was never issued. */
export function isSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** What the store keeps of a secret. */
export function hashSecret(secret: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(secret).digest());
}

import { SecretsError } from "./error.ts";
import type { Secrets } from "./secrets.ts";

/** What was sealed with one key, sealed with another; null where it is already. Throws where neither key opens it. */
export type Reseal = (sealed: Uint8Array, context: string) => Uint8Array | null;

/** Seals from one key to another. A change that was interrupted goes on: what opens with the new key is done. */
export function resealFrom(before: Secrets, after: Secrets): Reseal {
  return (sealed, context) => {
    if (opens(after, sealed, context)) return null;
    return after.seal(before.open(sealed, context), context);
  };
}

function opens(secrets: Secrets, sealed: Uint8Array, context: string): boolean {
  try {
    secrets.open(sealed, context);
    return true;
  } catch (error) {
    if (error instanceof SecretsError) return false;
    throw error;
  }
}

import { type clientKinds, clientLimits } from "@clew/contract";
import { hasVisibleCharacter, withInvisibleEscaped } from "@clew/contract/hidden-characters";

/** A program that asks to be connected (APP-3). */
export interface Client {
  readonly id: string;
  readonly kind: (typeof clientKinds)[number];
  /** The name that it gives itself. */
  readonly name: string;
  /** The host of its document; null without one. */
  readonly host: string | null;
  readonly redirectUris: readonly string[];
}

/**
 * The name that a client gives itself, as it is shown: on one line, with hidden characters written out, and not longer than that
 * of a token. `fallback` is shown if nothing is left.
 */
export function shownName(claimed: string, fallback: string): string {
  const line = withInvisibleEscaped(claimed.toWellFormed().replaceAll(/\s+/g, " ").trim());
  const name = [...line].slice(0, clientLimits.nameLength).join("").trim();
  return hasVisibleCharacter(name) ? name : fallback;
}

import { SignInFailure } from "./failure.ts";
import { isSecret } from "./state.ts";

/** What the provider sent along when it sent the person back (RFC 6749, sections 4.1.2 and 4.1.2.1). */
export interface CallbackQuery {
  readonly state: string;
  readonly code: string | null;
  readonly error: string | null;
}

/**
 * Reads the callback's query; parameters that Clew does not know are ignored (RFC 6749, section 4.1.2).
 * A doubled parameter could be read in two ways and is read in none. Throws `SignInFailure` `invalid_state`.
 */
export function readCallbackQuery(query: unknown): CallbackQuery {
  const values = new Map(Object.entries(query ?? {}));
  const read = (name: string): string | null => {
    const value: unknown = values.get(name);
    if (value === undefined || value === "") return null;
    if (typeof value !== "string") throw new SignInFailure("invalid_state");
    return value;
  };
  const state = read("state");
  if (state === null || !isSecret(state)) throw new SignInFailure("invalid_state");
  return { state, code: read("code"), error: read("error") };
}

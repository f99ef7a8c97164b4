import { OAuthFault } from "./faults.ts";

/** The parameters of an OAuth request that Clew knows. */
export interface Sent<Name extends string> {
  readonly values: Readonly<Partial<Record<Name, string>>>;
  /** Those that were sent more than once; none of them is in `values`. */
  readonly repeated: readonly string[];
}

/** Reads known parameters. Others are ignored, and an empty one counts as left out (RFC 6749, section 3.1). */
export function readParameters<const Name extends string>(
  sent: URLSearchParams,
  names: readonly Name[],
): Sent<Name> {
  const values: Partial<Record<Name, string>> = {};
  const repeated: string[] = [];
  for (const name of names) {
    const all = sent.getAll(name);
    const [value = ""] = all;
    if (all.length > 1) repeated.push(name);
    else if (value !== "") values[name] = value;
  }
  return { values, repeated };
}

/** Throws `OAuthFault` `invalid_request` if a known parameter was sent more than once. */
export function requireSingle({ repeated }: Sent<string>): void {
  const [name] = repeated;
  if (name !== undefined) throw new OAuthFault("invalid_request", `${name} is sent more than once.`);
}

/** A parameter that must be sent. Throws `OAuthFault` `invalid_request`. */
export function requireParameter<Name extends string>({ values }: Sent<Name>, name: Name): string {
  const value = values[name];
  if (value === undefined) throw new OAuthFault("invalid_request", `${name} is missing.`);
  return value;
}

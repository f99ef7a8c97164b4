import type { Secrets } from "../secrets/secrets.ts";

/** A grant that is to be given back is nobody's any more, so its seal names the provider alone. */
export const revocationContext = (provider: string) => `revocation:${provider}`;

export function sealForRevocation(
  secrets: Pick<Secrets, "seal">,
  provider: string,
  token: string,
): Uint8Array {
  return secrets.seal(Buffer.from(token), revocationContext(provider));
}

/** Throws `SecretsError`. */
export function openForRevocation(
  secrets: Pick<Secrets, "open">,
  provider: string,
  sealed: Uint8Array,
): string {
  return Buffer.from(secrets.open(sealed, revocationContext(provider))).toString();
}

import { createHmac } from "node:crypto";
import { signingKeys } from "../../store/queries/signing-keys.ts";
import type { AuthFixture } from "./auth-fixture.ts";

/** A decrypted signing key of the store, with which a test can sign any content. */
export interface OpenKey {
  readonly kid: string;
  readonly secret: Uint8Array;
}

/** The signing keys of a fixture, the newest first. */
export async function openKeys({ database, secrets }: AuthFixture): Promise<OpenKey[]> {
  const rows = await signingKeys(database.read);
  return rows.map(({ kid, sealedSecret }) => ({
    kid,
    secret: secrets.open(sealedSecret, `signing-key:${kid}`),
  }));
}

/** One segment of a JWS. */
export const encode = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

/** A JWS over a header and a payload, given as values or as their JSON text. */
export function forge(
  header: unknown,
  payload: unknown,
  secret: Uint8Array | string,
  digest = "sha256",
): string {
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${createHmac(digest, secret).update(signed).digest("base64url")}`;
}

/** The header and the payload of a token. */
export function takeApart(token: string): Record<"header" | "payload", Record<string, unknown>> {
  const [header = "", payload = ""] = token.split(".");
  const decode = (segment: string) => JSON.parse(Buffer.from(segment, "base64url").toString());
  return { header: decode(header), payload: decode(payload) };
}

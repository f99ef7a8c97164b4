import { clientLimits, type RegisteredClient } from "@clew/contract";
import type { RandomBytes } from "../../model/runtime.ts";
import { hostOfRedirect } from "../../model/service-token.ts";
import { createSecrets, type Reseal, type Secrets, SecretsError } from "../../secrets/secrets.ts";
import type { Database, WriteTransaction } from "../../store/port.ts";
import { readClientKey, writeClientKey } from "../../store/queries/installation.ts";
import { type Client, shownName } from "./client.ts";
import { OAuthFault } from "./faults.ts";
import { redirectFault } from "./redirect-uris.ts";

interface RegistrationServices {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly random: RandomBytes;
}

/** The content of a client id. */
interface Registration {
  /** Left out if the client gave no name. */
  readonly name?: string;
  readonly uris: readonly string[];
  /** Seconds since the Unix epoch. */
  readonly at: number;
}

const prefix = "app_";

/** Of the key as a secret, and of what it seals. */
const keyContext = "client-key";
const idContext = "client-id";

/**
 * Dynamic registration without a table (RFC 7591, appendix A.5.2): the client id is the sealed registration. It opens on every
 * instance, after a restart, and after a change of the encryption key, since its own key is in the database.
 */
export class Registrations {
  readonly #services: RegistrationServices;
  /** It never changes once it is made. */
  #sealing: Promise<Secrets> | null = null;

  constructor(services: RegistrationServices) {
    this.#services = services;
  }

  /**
   * Registers a client by its metadata, the body of its request. `now` is in milliseconds since the Unix epoch. Throws
   * `OAuthFault` `invalid_redirect_uri` or `invalid_client_metadata`.
   */
  async register(metadata: unknown, now: number): Promise<RegisteredClient> {
    const { name, uris } = readMetadata(metadata);
    const registration: Registration = {
      ...(name !== undefined && { name }),
      uris,
      at: Math.floor(now / 1000),
    };
    const content = Buffer.from(JSON.stringify(registration));
    if (content.length > clientLimits.registrationBytes)
      throw new OAuthFault("invalid_client_metadata", "The registration is too large.");
    const sealed = (await this.#sealer()).seal(content, idContext);
    return {
      client_id: prefix + Buffer.from(sealed).toString("base64url"),
      client_id_issued_at: registration.at,
      ...(name !== undefined && { client_name: name }),
      redirect_uris: [...uris],
      grant_types: ["authorization_code"],
      response_types: ["code"],
      // Whatever was asked for: no client gets a secret.
      token_endpoint_auth_method: "none",
    };
  }

  /** The client of an id; null if it is not the id of a registration here. */
  async open(id: string): Promise<Client | null> {
    const text = id.startsWith(prefix) ? id.slice(prefix.length) : "";
    const sealed = Buffer.from(text, "base64url");
    // Each client has one spelling of its id.
    if (text === "" || sealed.toString("base64url") !== text) return null;
    try {
      const content = (await this.#sealer()).open(sealed, idContext);
      // `register` wrote it.
      const { name, uris } = JSON.parse(Buffer.from(content).toString()) as Registration;
      const fallback = hostOfRedirect(uris[0] ?? "");
      return { id, kind: "registered", name: name ?? fallback, host: null, redirectUris: uris };
    } catch (error) {
      if (error instanceof SecretsError) return null;
      throw error;
    }
  }

  #sealer(): Promise<Secrets> {
    this.#sealing ??= this.#loadKey().catch((error) => {
      this.#sealing = null;
      throw error;
    });
    return this.#sealing;
  }

  async #loadKey(): Promise<Secrets> {
    const { database, secrets, random } = this.#services;
    const sealed =
      (await readClientKey(database.read)) ??
      (await database.transaction(async (trx) => {
        const known = await readClientKey(trx);
        if (known !== null) return known;
        const made = secrets.seal(random(32), keyContext);
        await writeClientKey(trx, made);
        return made;
      }));
    return createSecrets(openClientKey(secrets, sealed), random);
  }
}

/** Opens the key of registrations. Throws `SecretsError`. */
export const openClientKey = (secrets: Pick<Secrets, "open">, sealed: Uint8Array): Uint8Array =>
  secrets.open(sealed, keyContext);

/** Seals the key of registrations with the new encryption key. Returns how many keys changed. */
export async function resealClientKey(trx: WriteTransaction, reseal: Reseal): Promise<number> {
  const sealed = await readClientKey(trx);
  const sealedAnew = sealed && reseal(sealed, keyContext);
  if (sealedAnew === null) return 0;
  await writeClientKey(trx, sealedAnew);
  return 1;
}

/** The fields of a registration that count (RFC 7591, section 2). Others are ignored. */
function readMetadata(metadata: unknown): { readonly name?: string; readonly uris: readonly string[] } {
  if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata))
    throw new OAuthFault("invalid_client_metadata", "The registration must be a JSON object.");
  const fields: Readonly<Record<string, unknown>> = { ...metadata };
  const { client_name: name, redirect_uris: uris, grant_types, response_types } = fields;
  requireListed(grant_types, "authorization_code", "grant_types");
  requireListed(response_types, "code", "response_types");
  if (name !== undefined && name !== null && typeof name !== "string")
    throw new OAuthFault("invalid_client_metadata", "client_name must be a text.");
  const shown = typeof name === "string" ? shownName(name, "") : "";
  return { ...(shown !== "" && { name: shown }), uris: readUris(uris) };
}

function readUris(uris: unknown): readonly string[] {
  if (!Array.isArray(uris) || uris.length === 0)
    throw new OAuthFault("invalid_redirect_uri", "redirect_uris must list at least one address.");
  if (uris.length > clientLimits.redirectUris)
    throw new OAuthFault(
      "invalid_redirect_uri",
      `redirect_uris may list up to ${clientLimits.redirectUris} addresses.`,
    );
  for (const [index, uri] of uris.entries()) {
    const fault = typeof uri === "string" ? redirectFault(uri) : "is not a text.";
    if (fault !== null) throw new OAuthFault("invalid_redirect_uri", `redirect_uris[${index}] ${fault}`);
  }
  return uris;
}

/** Throws `OAuthFault` if a client lists what it will use, and that is not what Clew offers. */
function requireListed(list: unknown, offered: string, field: string): void {
  if (list === undefined || list === null) return;
  if (Array.isArray(list) && (list.length === 0 || list.includes(offered))) return;
  throw new OAuthFault("invalid_client_metadata", `${field} must include ${offered}.`);
}

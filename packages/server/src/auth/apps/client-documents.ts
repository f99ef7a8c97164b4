import type { Clock } from "../../model/runtime.ts";
import type { Database } from "../../store/port.ts";
import { findClientDocument, saveClientDocument } from "../../store/queries/apps.ts";
import { type Client, shownName } from "./client.ts";
import { DocumentError } from "./document-network.ts";
import { ClientFault } from "./faults.ts";
import { redirectFault } from "./redirect-uris.ts";

interface DocumentServices {
  readonly database: Database;
  readonly clock: Clock;
  /** Fetches a document through the network, within bounds. Throws `DocumentError`. */
  readonly fetchDocument: (url: URL) => Promise<string>;
}

const hourMs = 3_600_000;

/** The time for which a document is not read again. */
const freshMs = 24 * hourMs;

/** The time for which a document serves that cannot be read again. */
const staleMs = 7 * 24 * hourMs;

/** Documents that are kept. */
const maxDocuments = 200;

/** Documents that are read at the same time: each takes a socket for up to five seconds. */
const maxReads = 8;

const maxIdLength = 1024;

/** The part of a document that is kept. */
interface Kept {
  readonly name: string;
  readonly uris: readonly string[];
}

/**
 * The documents of clients (Client ID Metadata Documents, draft 00). The last good copy of each is in the database, so that all
 * instances permit the same.
 */
export class ClientDocuments {
  readonly #services: DocumentServices;
  readonly #reads = new Map<string, Promise<Client>>();

  constructor(services: DocumentServices) {
    this.#services = services;
  }

  /** The client of a document that was read within a day; null if it has to be read. Throws `ClientFault`. */
  async stored(id: string): Promise<Client | null> {
    checkId(id);
    return this.#copy(id, freshMs);
  }

  /** Reads the document of a client; if that fails, an earlier copy serves for a week. Throws `ClientFault`. */
  read(id: string): Promise<Client> {
    const under = this.#reads.get(id);
    if (under !== undefined) return under;
    if (this.#reads.size >= maxReads)
      return Promise.reject(new ClientFault("Clew is busy with other programs. Try again in a minute."));
    const read = this.#read(id).finally(() => this.#reads.delete(id));
    this.#reads.set(id, read);
    return read;
  }

  async #read(id: string): Promise<Client> {
    const { database, clock, fetchDocument } = this.#services;
    const url = checkId(id);
    try {
      const kept = readDocument(id, await fetchDocument(url));
      const stored = { document: JSON.stringify(kept), fetchedAt: clock() };
      await database.transaction((trx) => saveClientDocument(trx, id, stored, maxDocuments));
      return clientOf(id, kept);
    } catch (cause) {
      if (!(cause instanceof DocumentError)) throw cause;
      const copy = await this.#copy(id, staleMs);
      if (copy !== null) return copy;
      throw new ClientFault(`The program cannot be identified: ${cause.message}`, { cause });
    }
  }

  async #copy(id: string, maxAgeMs: number): Promise<Client | null> {
    const { database, clock } = this.#services;
    const stored = await findClientDocument(database.read, id);
    if (stored === null || stored.fetchedAt + maxAgeMs <= clock()) return null;
    // `#read` wrote it.
    return clientOf(id, JSON.parse(stored.document) as Kept);
  }
}

function clientOf(id: string, { name, uris }: Kept): Client {
  return { id, kind: "document", name, host: new URL(id).hostname, redirectUris: uris };
}

/**
 * Checks a client id that is the address of a document (draft 00, section 3): https on the standard port, a path, and the one
 * spelling that the address has. Throws `ClientFault`.
 */
function checkId(id: string): URL {
  const url = id.length > maxIdLength ? null : URL.parse(id);
  const isValid =
    url !== null &&
    url.href === id &&
    url.protocol === "https:" &&
    url.port === "" &&
    url.username === "" &&
    url.password === "" &&
    url.hash === "" &&
    url.pathname !== "/" &&
    isName(url.hostname);
  if (!isValid) throw new ClientFault("The program's id is not the address of a document that Clew reads.");
  return url;
}

/** Whether a host is a name with a dot in it, and no address. */
const isName = (host: string): boolean => /^(?!.*\.\d+\.?$)[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(host);

/** Reads the fields of a document that count. Throws `DocumentError`. */
function readDocument(id: string, text: string): Kept {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (cause) {
    throw new DocumentError("its document is not JSON.", { cause });
  }
  const fields: Readonly<Record<string, unknown>> = Object(document);
  if (fields.client_id !== id) throw new DocumentError("its document names another program.");
  if (!isPublicClient(fields)) throw new DocumentError("it needs a secret, which Clew does not give.");
  const { redirect_uris: uris } = fields;
  if (!Array.isArray(uris) || uris.length === 0 || !uris.every((uri) => typeof uri === "string"))
    throw new DocumentError("its document lists no addresses to be sent to.");
  const claimed = typeof fields.client_name === "string" ? fields.client_name : "";
  const allowed = uris.filter((uri) => redirectFault(uri) === null);
  return { name: shownName(claimed, new URL(id).hostname), uris: allowed };
}

/** Whether a client can do without a secret, even if it prefers a signed assertion. */
function isPublicClient(fields: Readonly<Record<string, unknown>>): boolean {
  const { token_endpoint_auth_method: method = "none", token_endpoint_auth_methods_supported: others } =
    fields;
  return method === "none" || (Array.isArray(others) && others.includes("none"));
}

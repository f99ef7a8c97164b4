import type { Config } from "../../config/config.ts";
import { hostOfRedirect } from "../../model/service-token.ts";
import { builtInClients } from "./built-in-clients.ts";
import type { Client } from "./client.ts";
import type { ClientDocuments } from "./client-documents.ts";
import { ClientFault } from "./faults.ts";
import { matchesRedirect, redirectFault } from "./redirect-uris.ts";
import type { Registrations } from "./registrations.ts";

interface ClientServices {
  readonly config: Pick<Config, "oauthClients">;
  readonly registrations: Pick<Registrations, "open">;
  readonly documents: Pick<ClientDocuments, "stored" | "read">;
}

/** Finds the client of an authorization request (APP-3). */
export class Clients {
  readonly #services: ClientServices;

  constructor(services: ClientServices) {
    this.#services = services;
  }

  /**
   * The client with this id and redirect URI; null if its document has to be read first. Sends no request. Throws
   * `ClientFault` if the client is unknown or not permitted, or has not registered the redirect URI.
   */
  async known(id: string, redirectUri: string): Promise<Client | null> {
    const fault = redirectFault(redirectUri);
    if (fault !== null)
      throw new ClientFault(
        `The program asks to be sent to an address that no program can register: it ${fault}`,
      );
    const carried = builtInClients.find((client) => client.id === id);
    // A vendor may have added addresses since this list was made: then its document decides.
    if (carried !== undefined && (!isDocument(id) || matchesRedirect(carried.redirectUris, redirectUri)))
      return this.#accept(carried, redirectUri);
    if (isDocument(id)) {
      this.#requirePermitted(hostOf(id));
      const stored = await this.#services.documents.stored(id);
      return stored && this.#accept(stored, redirectUri);
    }
    const registered = await this.#services.registrations.open(id);
    if (registered === null)
      throw new ClientFault("The program is not known here. It has to register again.");
    return this.#accept(registered, redirectUri);
  }

  /** The same, and reads the client's document if need be: only for a person who is signed in. */
  async resolve(id: string, redirectUri: string): Promise<Client> {
    const known = await this.known(id, redirectUri);
    return known ?? this.#accept(await this.#services.documents.read(id), redirectUri);
  }

  /**
   * Whether a client may have this id: one that is carried, the address of a document, or a registration here. Sends no request, so
   * that nobody without a code has a document read.
   */
  async isKnown(id: string): Promise<boolean> {
    if (isDocument(id) || builtInClients.some((client) => client.id === id)) return true;
    return (await this.#services.registrations.open(id)) !== null;
  }

  #accept(client: Client, redirectUri: string): Client {
    if (!matchesRedirect(client.redirectUris, redirectUri))
      throw new ClientFault("The program asks to be sent to an address that it has not registered.");
    if (isDocument(client.id)) this.#requirePermitted(hostOf(client.id));
    else if (client.kind === "registered") this.#requirePermitted(hostOfRedirect(redirectUri));
    return client;
  }

  #requirePermitted(host: string): void {
    const { oauthClients } = this.#services.config;
    if (oauthClients === "open" || oauthClients.includes(host)) return;
    throw new ClientFault(
      `Programs of ${host} may not connect here. The operator of Clew lists those that may in OAUTH_CLIENTS.`,
    );
  }
}

/** Whether a client id is the address of a document. */
const isDocument = (id: string): boolean => /^https:\/\//i.test(id);

function hostOf(id: string): string {
  const url = URL.parse(id);
  if (url === null) throw new ClientFault("The program's id is not a valid address.");
  return url.hostname;
}

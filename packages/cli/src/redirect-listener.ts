import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { commandLineClient } from "@clew/contract";

/** The arrival of a browser at the redirect URI: the parameters of Clew's response, and the page that ends it. */
export interface Arrival {
  readonly parameters: URLSearchParams;
  /** Shows the person how it ended, in the browser. */
  show(status: number, text: string): Promise<void>;
}

/**
 * Listens on a free port of this machine for the browser that Clew sends back (RFC 8252, section 7.3). Only a request with the
 * state is taken, and only the first: others learn so, and change nothing.
 */
export class RedirectListener {
  readonly #server: Server;
  readonly #state: string;
  readonly #arrived = Promise.withResolvers<Arrival>();
  #isTaken = false;

  private constructor(state: string) {
    this.#state = state;
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  static async open(state: string): Promise<RedirectListener> {
    const listener = new RedirectListener(state);
    listener.#server.listen(0, "127.0.0.1");
    await once(listener.#server, "listening");
    return listener;
  }

  get redirectUri(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}${commandLineClient.redirectPath}`;
  }

  get arrived(): Promise<Arrival> {
    return this.#arrived.promise;
  }

  /** Stops listening. Call it after the last page was shown. */
  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #answer({ method, url = "" }: IncomingMessage, response: ServerResponse): void {
    const target = URL.parse(url, this.redirectUri);
    if (method !== "GET" || target?.pathname !== commandLineClient.redirectPath)
      return void showPage(response, 404, "There is nothing here.");
    // Any page in the browser can call this address.
    if (target.searchParams.get("state") !== this.#state)
      return void showPage(response, 400, "This is not the answer that clew login waits for. It waits on.");
    if (this.#isTaken) return void showPage(response, 409, "This login was answered already.");
    this.#isTaken = true;
    this.#arrived.resolve({
      parameters: target.searchParams,
      show: (status, text) => showPage(response, status, text),
    });
  }
}

/** Resolves when the page was sent, or the browser has left. */
async function showPage(response: ServerResponse, status: number, text: string): Promise<void> {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'",
    "referrer-policy": "no-referrer",
    connection: "close",
  });
  const closed = once(response, "close");
  response.end(`<!doctype html><html lang="en"><title>Clew</title><h1>Clew</h1><p>${text}</p></html>\n`);
  await closed;
}

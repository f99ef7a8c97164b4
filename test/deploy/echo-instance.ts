import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../support/clew-process.ts";

/** The report of an instance on a request that it received. */
export interface Echo {
  readonly instance: string;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** A server that answers with what it received, in the place of a Clew whose state does not matter. */
export interface EchoInstance {
  readonly name: string;
  /** Host and port. */
  readonly address: string;
  /** The requests that it received, without the proxy's readiness probes. */
  readonly received: readonly Echo[];
  /** Whether `/readyz` says that it can serve. */
  setReady(ready: boolean): void;
  /** Sends the next event of each response to `/events`. */
  sendEvent(): void;
  /** Ends it with all of its connections. */
  down(): Promise<void>;
  /** Starts it again on its port. */
  up(): Promise<void>;
}

/**
 * Starts an echo. Paths with a meaning of their own: `/silent/<milliseconds>` sends nothing for that long, `/events`
 * sends a server-sent event for each call of `sendEvent` and ends after three, and `/hang-up` reads the request and closes the connection.
 */
export async function startEcho(name: string): Promise<EchoInstance> {
  const port = await freePort();
  const received: Echo[] = [];
  let isReady = true;
  const eventsSent = new Map<ServerResponse, number>();

  function sendEvent(response: ServerResponse): void {
    const number = (eventsSent.get(response) ?? 0) + 1;
    eventsSent.set(response, number);
    response.write(`data: ${number}\n\n`);
    if (number === 3) response.end();
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = request;
    if (url === "/readyz") return void response.writeHead(isReady ? 200 : 503).end();
    const echo: Echo = { instance: name, method, path: url, headers };
    received.push(echo);
    await request.resume().toArray();
    if (url.startsWith("/hang-up")) return void request.socket.destroy();
    if (url === "/events") {
      response.writeHead(200, { "content-type": "text/event-stream", "x-accel-buffering": "no" });
      return sendEvent(response);
    }
    if (url.startsWith("/silent/")) await sleep(Number(url.slice("/silent/".length)));
    response.setHeader("content-type", "application/json").end(JSON.stringify(echo));
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const instance: EchoInstance = {
    name,
    address: `127.0.0.1:${port}`,
    received,
    setReady: (ready) => {
      isReady = ready;
    },
    sendEvent() {
      for (const response of eventsSent.keys()) if (!response.writableEnded) sendEvent(response);
    },
    async down() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
    async up() {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    },
  };
  await instance.up();
  return instance;
}

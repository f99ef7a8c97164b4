import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/** A recorded request and its response. */
interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly status: number;
  /** The `Location` of the response. */
  readonly location: string | null;
  readonly body: string;
}

/** A server that forwards every request to another one, and records the exchanges. */
export interface RecordingProxy {
  readonly url: string;
  readonly exchanges: readonly Exchange[];
  close(): Promise<void>;
}

const handedOn = ["authorization", "content-type", "notion-version", "accept", "origin"];

/** A request that has arrived and was not forwarded yet. */
export type Arrival = Pick<Exchange, "method" | "path" | "authorization"> & { readonly sent: string };

/** Starts a proxy to `target`. Each request is forwarded when the `gate` resolves. */
export async function recordTo(
  target: string,
  gate: (path: string, arrival: Arrival) => Promise<void> = async () => {},
): Promise<RecordingProxy> {
  const exchanges: Exchange[] = [];
  const server = createServer(async (request, response) => {
    const { method = "GET", url = "/" } = request;
    const sent = await text(request);
    const { authorization } = request.headers;
    await gate(url, { method, path: url, authorization, sent });
    const answer = await fetch(new URL(url, target), {
      method,
      redirect: "manual",
      headers: handedOn.flatMap((name): [string, string][] => {
        const value = request.headers[name];
        return typeof value === "string" ? [[name, value]] : [];
      }),
      body: sent === "" ? null : sent,
    });
    const body = await answer.text();
    const location = answer.headers.get("location");
    exchanges.push({ method, path: url, authorization, status: answer.status, location, body });
    const type = answer.headers.get("content-type");
    response.writeHead(answer.status, {
      ...(type && { "content-type": type }),
      ...(location && { location }),
    });
    response.end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    exchanges,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

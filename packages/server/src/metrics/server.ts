import { once } from "node:events";
import { createServer } from "node:http";
import type { Metrics } from "./metrics.ts";

/** A server of metrics that listens. */
export interface MetricsServer {
  close(): Promise<void>;
}

interface Listening {
  readonly host: string;
  readonly port: number;
  readonly onError: (error: unknown) => void;
}

/**
 * Serves `/metrics` on a port of its own, for whoever can reach that port: it is to be kept from everybody else, and so
 * it is not the port that everybody reaches (OPS-2).
 */
export async function serveMetrics(
  metrics: Pick<Metrics, "render">,
  { host, port, onError }: Listening,
): Promise<MetricsServer> {
  const server = createServer(async ({ method, url }, response) => {
    if (url !== "/metrics") return void response.writeHead(404).end();
    if (method !== "GET" && method !== "HEAD")
      return void response.writeHead(405, { allow: "GET, HEAD" }).end();
    try {
      const { type, text } = await metrics.render();
      response.writeHead(200, { "content-type": type, "cache-control": "no-store" }).end(text);
    } catch (error) {
      onError(error);
      response.writeHead(500).end();
    }
  });
  server.listen(port, host);
  await once(server, "listening");
  return {
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

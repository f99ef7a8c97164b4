import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

/** Serves a listener on a free loopback port until the test ends. Returns its origin. */
export async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

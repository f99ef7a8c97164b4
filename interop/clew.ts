import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createServer, request } from "node:http";
import { freePort } from "../test/support/clew-process.ts";
import { freshSample } from "../test/support/fresh-sample.ts";
import { startRunning } from "../test/support/running-clew.ts";
import { createToken, signIn, waitForSync } from "../test/support/session.ts";
import type { Server } from "./session.ts";

export interface Clew extends Server {
  /** The same for programs that cannot send a token: it is added to their requests. */
  readonly open: URL;
  stop(): Promise<void>;
}

const path = "api/v1/mcp";

/** Starts a Clew with the demo workspace, and a proxy before it that adds a service token. */
export async function startClew(): Promise<Clew> {
  const [port, publicPort] = [await freePort(), await freePort()];
  let token = "";
  const proxy = createServer((received, answer) => {
    const authorization = received.headers.authorization ?? `Bearer ${token}`;
    const added = received.url?.startsWith(`/${path}`) ? { authorization } : {};
    const { method, url } = received;
    const headers = { ...received.headers, ...added };
    const passed = request({ host: "127.0.0.1", port, method, path: url, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    received.pipe(passed);
  }).listen(publicPort, "127.0.0.1");
  await once(proxy, "listening");
  // The proxy's address is Clew's own, so that requests from its pages are not foreign.
  const publicUrl = `http://localhost:${publicPort}/`;
  const directory = await freshSample();
  const clew = await startRunning({ env: { PORT: String(port), PUBLIC_URL: publicUrl }, directory });
  const session = await signIn(clew.url);
  await waitForSync(clew.url, session);
  ({ token } = await createToken(clew.url, session, "interop"));
  return {
    url: new URL(path, `http://localhost:${port}/`),
    open: new URL(path, publicUrl),
    token,
    async stop() {
      proxy.close();
      proxy.closeAllConnections();
      await clew.stop();
      await rm(directory, { recursive: true });
    },
  };
}

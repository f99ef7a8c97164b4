import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Settings } from "./clew-process.ts";
import { startRunning } from "./running-clew.ts";
import { writeSmallWorkspace } from "./small-workspace.ts";
import type { Stage } from "./stage.ts";

/** A Clew whose clock the tests move, and whose documents of clients they write. */
export interface AppClew {
  readonly url: URL;
  /** Moves the clock, by milliseconds. */
  advance(milliseconds: number): void;
  /** The documents at their addresses; a text is sent as it is, null is a 404, as is an address without an entry. */
  readonly documents: Map<string, object | string | null>;
  /** The addresses that were asked for. */
  readonly fetched: string[];
}

/** Starts such a Clew over a small workspace, which each new account syncs. It ends with the stage. */
export async function startAppClew(stage: Stage, env: Settings = {}): Promise<AppClew> {
  let passed = 0;
  const documents: AppClew["documents"] = new Map();
  const fetched: string[] = [];
  const server = createServer((request, response) => {
    const address = `https://${request.headers.host}${request.url}`;
    fetched.push(address);
    const document = documents.get(address) ?? null;
    const body = typeof document === "string" ? document : JSON.stringify(document);
    response.writeHead(document === null ? 404 : 200, { "content-type": "application/json" }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stage.defer(async () => server.close());
  const { port } = server.address() as AddressInfo;
  const clew = await startRunning({
    directory: await writeSmallWorkspace(stage),
    clock: () => Date.now() + passed,
    documentNetwork: { resolve: async () => ["8.8.8.8"], connect: () => connect(port, "127.0.0.1") },
    env,
  });
  stage.defer(() => clew.stop());
  return {
    url: clew.url,
    advance(milliseconds) {
      passed += milliseconds;
    },
    documents,
    fetched,
  };
}

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CreatedToken, type Scope, scopeNames, type Workspace } from "@clew/contract";
import type { ConsentChoice } from "@clew/stand-in/testing";
import { setTimes, writeFiles } from "../support/markdown-folder.ts";
import { type RawAnswer, type RawRequest, type Send, senderTo } from "../support/raw-request.ts";
import { type RunningClew, startRunning } from "../support/running-clew.ts";
import { type SignedIn, signIn, waitForSync } from "../support/session.ts";
import { collectRoutes, type RouteCollector } from "./routes.ts";
import { folderFiles } from "./shared-folders.ts";

/** A signed-in person, with the workspace that they see. */
export interface Reader extends SignedIn {
  readonly workspace: Workspace;
}

/** The options of a new service token; by default every scope, the reader's workspace and no expiry. */
interface Wish {
  readonly name?: string;
  readonly scopes?: readonly Scope[];
  readonly days?: number;
}

/** Clew over a workspace of linked folders, for requests from outside. */
export interface Surface {
  readonly clew: RunningClew;
  readonly routes: RouteCollector;
  readonly send: Send;
  /** Advances the clock, in milliseconds. */
  advance(milliseconds: number): void;
  /** Signs in, with the defaults of the consent screen if `consent` is missing, and waits for the sync. */
  signIn(consent?: ConsentChoice): Promise<Reader>;
  createToken(reader: Reader, wish?: Wish): Promise<CreatedToken>;
  /** The id of the page or database with this title, found by search. */
  idOf(reader: Reader, title: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts a separate Clew for a test file. */
export async function openSurface(routes: RouteCollector = collectRoutes()): Promise<Surface> {
  const directory = await mkdtemp(join(tmpdir(), "clew-surface-"));
  await writeFiles(directory, folderFiles);
  // No sync begins that nobody asked for, however long a test takes.
  await setTimes(directory, new Date(Date.now() - 3_600_000));
  let passed = 0;
  const clew = await startRunning({
    directory,
    env: { NOTION_WEBHOOK_TOKEN: "a key of the provider's" },
    clock: () => Date.now() + passed,
    onServer: routes.watch,
  });
  const send = senderTo(clew.url);
  return {
    clew,
    routes,
    send,
    advance(milliseconds) {
      passed += milliseconds;
    },
    async signIn(consent) {
      const session = await signIn(clew.url, consent);
      const [workspace] = await waitForSync(clew.url, session);
      assert.ok(workspace);
      return { ...session, workspace };
    },
    async createToken(reader, { name = "a token", scopes = scopeNames, days } = {}) {
      const body = { name, scopes, workspace_ids: [reader.workspace.id], expires_in_days: days ?? null };
      const answer = await send({ method: "POST", path: "/api/tokens/", ...withJson(body, reader.access) });
      assert.equal(answer.status, 201, answer.text);
      return answer.body;
    },
    async idOf({ access }, title) {
      const { body } = await get(
        send,
        `/api/provider-graph/search/?q=${encodeURIComponent(title)}&limit=1`,
        access,
      );
      assert.equal(body.items[0]?.node.title, title);
      return body.items[0].node.id;
    },
    async close() {
      await clew.stop();
      await rm(directory, { recursive: true });
    },
  };
}

/** The `Authorization` header for a token. */
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** A body and the headers that go with it. */
export function withJson(body: unknown, token?: string): Pick<RawRequest, "headers" | "body"> {
  const type = { "content-type": "application/json" };
  const headers = token === undefined ? type : { ...type, ...bearer(token) };
  return { headers, body: typeof body === "string" ? body : JSON.stringify(body) };
}

/** The response to a GET with a token, or without credentials. */
export function get(send: Send, path: string, token?: string): Promise<RawAnswer> {
  return send({ method: "GET", path, headers: token === undefined ? {} : bearer(token) });
}

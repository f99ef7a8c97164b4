import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type CreatedToken, type Scope, scopeNames } from "@clew/contract";
import type { ConsentChoice } from "@clew/stand-in/testing";
import { writeFiles } from "../support/markdown-folder.ts";
import { type RawRequest, type Send, senderTo } from "../support/raw-request.ts";
import { type RunningClew, startRunning } from "../support/running-clew.ts";
import { type SignedIn, signIn, waitForSync } from "../support/session.ts";
import { workspaceFiles } from "./fixture.ts";
import { createMasks, type Masks } from "./masks.ts";

/** The start of the run. The clock only moves when a section advances it. */
const beginning = Date.UTC(2026, 2, 2, 9);

/** Clew over a small workspace with a stopped clock, so that two runs have equal responses. */
export interface Stage {
  readonly clew: RunningClew;
  /** The folder of the workspace. */
  readonly folder: string;
  readonly send: Send;
  readonly masks: Masks;
  /** The session of later sections. */
  session: SignedIn;
  /** Advances the clock, in milliseconds. */
  advance(milliseconds: number): void;
  /** Signs in. Fails unless Clew accepts it. */
  signIn(name: string, consent?: ConsentChoice): Promise<SignedIn>;
  /** Creates a service token; by default of this session and with every scope. */
  createToken(wish: { name: string; scopes?: readonly Scope[]; session?: SignedIn }): Promise<CreatedToken>;
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "clew-conformance-"));
  await writeFiles(folder, workspaceFiles);
  let now = beginning;
  const clew = await startRunning({ directory: folder, clock: () => now });
  const send = senderTo(clew.url);
  const masks = createMasks();
  masks.hide(clew.url.origin, "{base_url}");
  masks.hide(basename(folder), "<FOLDER>");
  const stage: Stage = {
    clew,
    folder,
    send,
    masks,
    session: { access: "", refresh: "" },
    advance(milliseconds) {
      now += milliseconds;
    },
    async signIn(name, consent) {
      const session = await signIn(clew.url, consent);
      await welcome(stage, session, name);
      return session;
    },
    async createToken({ name, scopes = scopeNames, session = stage.session }) {
      const body = { name, scopes, workspace_ids: [await workspaceId(stage, session)] };
      const answer = await send(post("/api/tokens/", body, session.access));
      assert.equal(answer.status, 201, answer.text);
      return answer.body;
    },
    async close() {
      await clew.stop();
      await rm(folder, { recursive: true });
    },
  };
  return stage;
}

/**
 * Waits for the sync of a new session, and hides its tokens behind the names that the specification gives them, its
 * workspaces behind theirs; `name` tells one session from another.
 */
export async function welcome({ clew, send, masks }: Stage, session: SignedIn, name = ""): Promise<void> {
  const prefix = name === "" ? "" : `${name}_`;
  masks.hide(session.access, `<${prefix}ACCESS_TOKEN>`);
  masks.hide(session.refresh, `<${prefix}REFRESH_TOKEN>`);
  const { body } = await send(get("/api/auth/validate/", session.access));
  masks.hide(body.user_id, "<USER_ID>");
  masks.hide(body.session_id, "<SESSION_ID>");
  for (const workspace of await waitForSync(clew.url, session)) {
    hideId(masks, workspace.id, workspace.name ?? "");
  }
}

/** Shows a name instead of an id, with or without dashes. */
export function hideId(masks: Masks, id: string, name: string): void {
  const placeholder = `<${name.toUpperCase().replaceAll(" ", "_")}>`;
  masks.hide(id, placeholder);
  masks.hide(id.replaceAll("-", ""), placeholder);
}

/** The id of the first workspace that a session is connected to. */
export async function workspaceId({ send }: Stage, { access }: SignedIn): Promise<string> {
  const { body } = await send(get("/api/provider-graph/workspaces/", access));
  return body.items[0].id;
}

/** A GET, with a bearer token if one is given. */
export function get(path: string, token?: string): RawRequest {
  return {
    method: "GET",
    path,
    ...(token !== undefined && { headers: { Authorization: `Bearer ${token}` } }),
  };
}

/** A DELETE with a bearer token. */
export const remove = (path: string, token: string): RawRequest => ({
  ...get(path, token),
  method: "DELETE",
});

/** A POST of a JSON body, with a bearer token if one is given. */
export function post(path: string, body: unknown, token?: string): RawRequest {
  const { headers } = get(path, token);
  const typed = { ...headers, "Content-Type": "application/json" };
  return { method: "POST", path, headers: typed, body: JSON.stringify(body) };
}

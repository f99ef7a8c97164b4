import type { CreatedToken, WorkspaceList } from "@clew/contract";
import type { SignedIn } from "./sign-in.ts";

/** Where a workspace's sync stands, in words. */
export type OnProgress = (line: string) => void;

/** The caller's workspaces, as the session door shows them. */
export async function readWorkspaces(clew: URL, { access }: SignedIn): Promise<WorkspaceList["items"]> {
  const { items } = await json<WorkspaceList>(clew, "api/provider-graph/workspaces/", access);
  return items;
}

/** Waits until every workspace of the session is synced, and returns them. Throws where a sync failed. */
export async function waitForSync(clew: URL, session: SignedIn, onProgress: OnProgress = () => {}) {
  for (;;) {
    const workspaces = await readWorkspaces(clew, session);
    for (const { name, sync } of workspaces) {
      if (sync.state === "failed") throw new Error(`The sync of ${name} failed: ${sync.error}`);
      onProgress(`${name}: ${describe(sync)}`);
    }
    if (workspaces.length > 0 && workspaces.every(({ sync }) => sync.state === "idle")) return workspaces;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

const phases = { titles: "finding pages", content: "reading pages" };

function describe({ state, phase, done, total }: WorkspaceList["items"][number]["sync"]): string {
  if (state === "idle") return "synced";
  if (state === "waiting") return "waiting for the provider's limit";
  if (phase === null) return "about to sync";
  return `${phases[phase]}, ${total === null ? done : `${done} of ${total}`}`;
}

/** Makes a service token with every scope for every workspace of the session; it lives a day. */
export async function createToken(clew: URL, session: SignedIn, name: string): Promise<CreatedToken> {
  const workspaces = await readWorkspaces(clew, session);
  const body = {
    name,
    scopes: ["graph:search", "graph:read", "graph:neighbors"],
    workspace_ids: workspaces.map(({ id }) => id),
    expires_in_days: 1,
  };
  return json<CreatedToken>(clew, "api/tokens/", session.access, { method: "POST", body });
}

/** Revokes a service token of the session. */
export async function revokeToken(clew: URL, { access }: SignedIn, id: number): Promise<void> {
  await json(clew, `api/tokens/${id}/`, access, { method: "DELETE" });
}

/** Ends the session. */
export async function signOut(clew: URL, { access, refresh }: SignedIn): Promise<void> {
  await json(clew, "api/auth/logout/", access, { method: "POST", body: { refresh } });
}

/** One request with a bearer token; the answer is read as the message that the contract promises. */
async function json<Answer>(
  clew: URL,
  path: string,
  token: string,
  { method = "GET", body }: { method?: string; body?: unknown } = {},
): Promise<Answer> {
  const response = await fetch(new URL(path, clew), {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text || "null");
}

import assert from "node:assert/strict";
import { type Scope, scopeNames } from "@clew/contract";
import { startTestStandIn } from "@clew/stand-in/testing";
import { connect, type Person } from "../oauth/app.ts";
import { setTimes, writeFiles } from "../support/markdown-folder.ts";
import type { Send } from "../support/raw-request.ts";
import { type RunningClew, startRunning } from "../support/running-clew.ts";
import { readWorkspaces, signIn, waitForSync } from "../support/session.ts";
import type { Stage } from "../support/stage.ts";
import type { RouteCollector } from "./routes.ts";
import { folderFiles, folders } from "./shared-folders.ts";
import { bearer, withJson } from "./surface.ts";

/** The kinds of credentials that Clew gives out. */
export type Kind = "session" | "service token" | "app token";

/**
 * The state of a credential. *Foreign*: it is another person's. *Workspace gone*: its person has disconnected the workspace.
 * *Off the list*: its person may no longer use Clew. *Account gone*: its person has deleted the account.
 */
export const states = [
  "valid",
  "foreign",
  "workspace gone",
  "expired",
  "revoked",
  "off the list",
  "account gone",
] as const;
export type State = (typeof states)[number];

/** A credential in one state, as a request sends it. */
export interface Credential {
  readonly kind: Kind;
  readonly state: State;
  /** None for a session. */
  readonly scopes: readonly Scope[];
  readonly raw: string;
}

/** The person about whose things all requests ask, with the ids of these things. */
export interface Subject {
  readonly workspaceId: string;
  readonly pageId: string;
  readonly databaseId: string;
  readonly tokenId: number;
  readonly sessionId: string;
}

/** A Clew that serves Notion to listed people, with a credential of each kind in each state. */
export interface Cast {
  readonly clew: RunningClew;
  readonly credentials: readonly Credential[];
  /** The refresh token of a session that has not ended: no route takes it as a credential. */
  readonly refreshToken: string;
  readonly subject: Subject;
}

const dayMs = 86_400_000;
/** Who shares what. The stranger shares another folder of the same workspace. */
const people = ["Librarian", "Reader", "Stranger", "Mover", "Leaver", "Ghost", "Passenger"] as const;
type Name = (typeof people)[number];
const addressOf = (name: Name) => `${name.toLowerCase()}@workspace.example`;

const single = scopeNames.map((scope): readonly Scope[] => [scope]);
const pairs = scopeNames.map((left): readonly Scope[] => scopeNames.filter((scope) => scope !== left));
/** Each scope by itself, and all. */
const fewSets = [...single, scopeNames];
/** Every set of scopes that a token can have. */
const allSets = [...single, ...pairs, scopeNames];

/** Starts that Clew, and takes each credential to its state. The stage ends it. */
export async function openCast(
  stage: Stage,
  routes: RouteCollector,
  send: (url: URL) => Send,
): Promise<Cast> {
  const directory = `${stage.folder}/pages`;
  const roster = people.map((name) => `- { name: ${name}, email: ${addressOf(name)} }\n`).join("");
  await writeFiles(directory, { ...folderFiles, "_people.yml": roster });
  await setTimes(directory, new Date(Date.now() - 3_600_000));
  const client = { clientId: "clew-under-test", clientSecret: "a secret of the tests" };
  const notion = await startTestStandIn({ directory, ...client });
  stage.defer(() => notion.close());
  let passed = 0;
  const clew = await startRunning({
    clock: () => Date.now() + passed,
    onServer: routes.watch,
    env: {
      STAND_IN: "",
      NOTION_CLIENT_ID: client.clientId,
      NOTION_CLIENT_SECRET: client.clientSecret,
      NOTION_API_URL: notion.url,
      NOTION_WEBHOOK_TOKEN: "a key of the provider's",
      ALLOWED_EMAILS: "@workspace.example",
    },
  });
  stage.defer(() => clew.stop());
  const ask = send(clew.url);
  const credentials: Credential[] = [];

  const arrive = async (name: Name): Promise<Person> => {
    const pages = [name === "Stranger" ? folders.west : folders.east];
    const session = await signIn(clew.url, { person: name, pages });
    await waitForSync(clew.url, session);
    const workspaceIds = (await readWorkspaces(clew.url, session)).map(({ id }) => id);
    return { url: clew.url, session, workspaceIds };
  };
  const addSession = ({ session }: Person, state: State) =>
    void credentials.push({ kind: "session", state, scopes: [], raw: session.access });
  const addToken = async ({ session, workspaceIds }: Person, state: State, scopes: readonly Scope[]) => {
    const wanted = { name: `${state}: ${scopes}`, scopes, workspace_ids: workspaceIds, expires_in_days: 2 };
    const days = state === "expired" ? { expires_in_days: 1 } : {};
    const body = withJson({ ...wanted, ...days }, session.access);
    const answer = await ask({ method: "POST", path: "/api/tokens/", ...body });
    assert.equal(answer.status, 201, answer.text);
    credentials.push({ kind: "service token", state, scopes, raw: answer.body.token });
    return Number(answer.body.id);
  };
  const addAppToken = async (person: Person, state: State, scopes: readonly Scope[]) => {
    const choice = { scopes: [...scopes], expires_in_days: state === "expired" ? 1 : 2 };
    const token = await connect(person, { choice });
    credentials.push({ kind: "app token", state, scopes, raw: token.access_token });
  };
  const addAll = async (person: Person, state: State) => {
    addSession(person, state);
    for (const scopes of fewSets) {
      await addToken(person, state, scopes);
      await addAppToken(person, state, scopes);
    }
  };
  const act = async ({ session }: Person, method: string, path: string, body?: unknown) => {
    const sent = body === undefined ? { headers: bearer(session.access) } : withJson(body, session.access);
    const answer = await ask({ method, path, ...sent });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.body;
  };

  await addAll(await arrive("Passenger"), "expired");
  passed += dayMs + 1_000;
  const passenger = await arrive("Passenger");
  await addAll(passenger, "revoked");
  for (const { id } of (await act(passenger, "GET", "/api/tokens/?is_active=true")).items)
    await act(passenger, "DELETE", `/api/tokens/${id}/`);
  await act(passenger, "POST", "/api/auth/logout/", { refresh: passenger.session.refresh });

  await addAll(await arrive("Stranger"), "foreign");
  await addAll(await arrive("Leaver"), "off the list");
  const mover = await arrive("Mover");
  await addAll(mover, "workspace gone");
  await act(mover, "DELETE", `/api/provider-graph/workspaces/${mover.workspaceIds[0]}/`);
  const ghost = await arrive("Ghost");
  await addAll(ghost, "account gone");
  await act(ghost, "DELETE", "/api/auth/me/");

  const reader = await arrive("Reader");
  for (const scopes of allSets) await addAppToken(reader, "valid", scopes);
  const librarian = await arrive("Librarian");
  addSession(librarian, "valid");
  let tokenId = 0;
  for (const scopes of allSets) tokenId = await addToken(librarian, "valid", scopes);
  const idOf = async (title: string): Promise<string> => {
    const { items } = await act(
      librarian,
      "GET",
      `/api/provider-graph/search/?q=${encodeURIComponent(title)}`,
    );
    return items[0].node.id;
  };
  const { session_id: sessionId } = await act(librarian, "GET", "/api/auth/validate/");
  const subject = {
    workspaceId: librarian.workspaceIds[0] ?? assert.fail("no workspace"),
    pageId: await idOf("Atlas of islands"),
    databaseId: await idOf("Maps"),
    tokenId,
    sessionId,
  };
  const listed = people.filter((name) => name !== "Leaver").map(addressOf);
  await clew.restart({ ALLOWED_EMAILS: listed.join(",") });
  return { clew, credentials, refreshToken: librarian.session.refresh, subject };
}

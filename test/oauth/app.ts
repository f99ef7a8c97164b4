import { createHash } from "node:crypto";
import type {
  AppApproval,
  AppDecision,
  AppRequest,
  AppToken,
  OAuthError,
  ServiceToken,
  ServiceTokenList,
} from "@clew/contract";
import { scopeNames } from "@clew/contract";
import type { SignedIn } from "../../scripts/tour/sign-in.ts";
import { readWorkspaces, signIn } from "../support/session.ts";

/** A person who is signed in at a Clew, with a browser of their own. */
export interface Person {
  readonly url: URL;
  readonly session: SignedIn;
  readonly workspaceIds: readonly string[];
}

/** Signs a person in, who has no tokens yet. */
export async function arrive(url: URL, person?: string): Promise<Person> {
  const choice = person === undefined ? {} : { person };
  const before = await signIn(url, choice);
  const headers = { authorization: `Bearer ${before.access}` };
  await fetch(new URL("api/auth/me/", url), { method: "DELETE", headers });
  const session = await signIn(url, choice);
  return { url, session, workspaceIds: (await readWorkspaces(url, session)).map(({ id }) => id) };
}

/** Fields that replace those of a valid request; undefined leaves one out, a list repeats it. */
export type Changes = Readonly<Record<string, string | readonly string[] | undefined>>;

function form(fields: Changes): URLSearchParams {
  const sent = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    for (const each of [value ?? []].flat()) sent.append(name, each);
  return sent;
}

/** Claude Code, which is on Clew's own list. */
export const builtIn = "https://claude.ai/oauth/claude-code-client-metadata";
export const redirectUri = "http://127.0.0.1:49152/callback";

export const verifier = "a".repeat(43);
export const challengeOf = (text: string) => createHash("sha256").update(text).digest("base64url");

/** The URL of the MCP transport. */
export const mcpUrl = (url: URL) => new URL("api/v1/mcp", url).href;

/** The parameters of a valid request of `/oauth/authorize`. */
export const validRequest = (url: URL) => ({
  response_type: "code",
  client_id: builtIn,
  redirect_uri: redirectUri,
  state: "a state/+",
  scope: scopeNames.join(" "),
  resource: mcpUrl(url),
  code_challenge: challengeOf(verifier),
  code_challenge_method: "S256",
});

/** The response that a browser gets from `/oauth/authorize`. */
export interface Authorized {
  readonly status: number;
  readonly location: URL | null;
  /** The cookie that ties the request to the browser; empty if there is none. */
  readonly cookie: string;
  readonly headers: Headers;
  readonly text: string;
}

export async function authorize(url: URL, changes: Changes = {}): Promise<Authorized> {
  const address = new URL("oauth/authorize", url);
  address.search = form({ ...validRequest(url), ...changes }).toString();
  const response = await fetch(address, { redirect: "manual" });
  const location = response.headers.get("location");
  return {
    status: response.status,
    location: location === null ? null : new URL(location),
    cookie: response.headers.getSetCookie().at(-1)?.split(";")[0] ?? "",
    headers: response.headers,
    text: await response.text(),
  };
}

/** An answer of the API for the consent page. */
export interface Answered<Body> {
  readonly status: number;
  readonly body: Body & { readonly code?: string; readonly detail?: string; readonly errors?: unknown[] };
}

/** A request that waits for its person. */
export interface Waiting {
  read(headers?: Record<string, string>): Promise<Answered<AppRequest>>;
  approve(choice?: Partial<AppApproval>, headers?: Record<string, string>): Promise<Answered<AppDecision>>;
  deny(headers?: Record<string, string>): Promise<Answered<AppDecision>>;
}

/** The consent page of a request, in the browser of a person. */
export function consentPage(person: Person, { location, cookie }: Authorized): Waiting {
  const id = location?.searchParams.get("request") ?? "";
  const ask = async <Body>(path: string, headers: Record<string, string>, body?: unknown) => {
    const response = await fetch(new URL(`api/apps/requests/${id}/${path}`, person.url), {
      method: body === undefined ? "GET" : "POST",
      headers: {
        authorization: `Bearer ${person.session.access}`,
        cookie,
        ...(body === undefined ? {} : { "content-type": "application/json", origin: person.url.origin }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Answered<Body>["body"] };
  };
  return {
    read: (headers = {}) => ask<AppRequest>("", headers),
    approve: (choice = {}, headers = {}) =>
      ask<AppDecision>("approve/", headers, {
        scopes: [...scopeNames],
        workspace_ids: person.workspaceIds,
        ...choice,
      }),
    deny: (headers = {}) => ask<AppDecision>("deny/", headers, {}),
  };
}

/** Sends a form to an endpoint below `/oauth/`. */
export async function post<Body = AppToken & OAuthError>(
  url: URL,
  path: "token" | "revoke",
  fields: Changes,
  headers: Record<string, string> = {},
): Promise<{ readonly status: number; readonly headers: Headers; readonly body: Body }> {
  const response = await fetch(new URL(`oauth/${path}`, url), {
    method: "POST",
    headers,
    body: form(fields),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
}

/** The form of a valid request of `/oauth/token`. */
export const validExchange = (url: URL, code: string) => ({
  grant_type: "authorization_code",
  code,
  client_id: builtIn,
  redirect_uri: redirectUri,
  code_verifier: verifier,
  resource: mcpUrl(url),
});

/** Has a person allow a program, and returns the code that it gets. */
export async function codeFor(
  person: Person,
  { asked = {}, choice = {} }: { readonly asked?: Changes; readonly choice?: Partial<AppApproval> } = {},
): Promise<string> {
  const page = consentPage(person, await authorize(person.url, asked));
  const { status, body } = await page.approve(choice);
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  const code = new URL(body.redirect_to).searchParams.get("code");
  if (code === null) throw new Error(`no code in ${body.redirect_to}`);
  return code;
}

/** Connects a program, and returns its token. */
export async function connect(
  person: Person,
  options: Parameters<typeof codeFor>[1] & { readonly exchanged?: Changes } = {},
): Promise<AppToken> {
  const code = await codeFor(person, options);
  const { status, body } = await post(person.url, "token", {
    ...validExchange(person.url, code),
    ...options.exchanged,
  });
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}

/** The status with which the MCP transport, or another path of V1, answers a token. */
export async function statusWith(url: URL, token: string, path = "api/v1/mcp"): Promise<number> {
  const isMcp = path.startsWith("api/v1/mcp");
  const response = await fetch(new URL(path, url), {
    method: isMcp ? "POST" : "GET",
    headers: {
      authorization: `Bearer ${token}`,
      ...(isMcp && { "content-type": "application/json", accept: "application/json, text/event-stream" }),
    },
    ...(isMcp && { body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }) }),
  });
  await response.body?.cancel();
  return response.status;
}

/** The person's tokens, as the list has them. */
export async function tokensOf({ url, session }: Person): Promise<readonly ServiceToken[]> {
  const response = await fetch(new URL("api/tokens/?limit=100", url), {
    headers: { authorization: `Bearer ${session.access}` },
  });
  const { items } = (await response.json()) as ServiceTokenList;
  return items;
}

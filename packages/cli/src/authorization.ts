import { hash } from "node:crypto";
import { commandLineClient, type ServerMetadata, scopeNames } from "@clew/contract";
import { ReadingError } from "./exit-codes.ts";
import { addressOf, type Login } from "./login-files.ts";
import { type Arrival, RedirectListener } from "./redirect-listener.ts";
import { plainText } from "./table.ts";

/*
 * `clew login` as an OAuth client (RFC 8252): a public client with PKCE, which Clew knows by its id. The token is for all of V1.
 */

/** The parts of the process that a login uses. */
export interface AuthorizationContext {
  readonly fetch: typeof globalThis.fetch;
  readonly random: (size: number) => Uint8Array;
  /** Milliseconds since the Unix epoch. */
  readonly clock: () => number;
  /** Leads the person's browser to an address. */
  readonly openBrowser: (address: URL) => void;
  /** Milliseconds to wait for the person; by default as long as Clew itself does. */
  readonly loginTimeoutMs?: number;
}

/** The parts of Clew's metadata that a login uses. */
type Endpoints = Pick<
  ServerMetadata,
  "issuer" | "authorization_endpoint" | "token_endpoint" | "revocation_endpoint"
>;

/** As long as Clew keeps a request that waits for its person. */
const personTimeoutMs = 10 * 60_000;
const requestTimeoutMs = 30_000;

/** Has a person allow the command line to read a Clew, in their browser. Throws `ReadingError`. */
export async function authorize(context: AuthorizationContext, url: URL): Promise<Login> {
  const endpoints = await readEndpoints(context.fetch, url);
  const [state, verifier] = [32, 32].map((size) => Buffer.from(context.random(size)).toString("base64url"));
  if (state === undefined || verifier === undefined) throw new Error("unreachable");
  const resource = `${addressOf(url)}/api/v1`;
  const listener = await RedirectListener.open(state);
  try {
    const { redirectUri } = listener;
    const request = new URL(endpoints.authorization_endpoint);
    request.search = new URLSearchParams({
      response_type: "code",
      client_id: commandLineClient.id,
      redirect_uri: redirectUri,
      scope: scopeNames.join(" "),
      state,
      resource,
      code_challenge: hash("sha256", verifier, "base64url"),
      code_challenge_method: "S256",
    }).toString();
    context.openBrowser(request);
    const arrival = await waitForPerson(listener, context.loginTimeoutMs ?? personTimeoutMs);
    return await finish(arrival, async () => {
      const code = readCode(arrival.parameters, endpoints.issuer);
      const fields = {
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
        client_id: commandLineClient.id,
        code_verifier: verifier,
        resource,
      };
      const { token, expiresIn } = await exchange(context.fetch, endpoints.token_endpoint, fields);
      const expiresAt = new Date(context.clock() + expiresIn * 1000).toISOString();
      return { url: addressOf(url), token, expiresAt };
    });
  } finally {
    listener.close();
  }
}

/** Ends the token of a login (RFC 7009). Throws `ReadingError`. */
export async function revokeLogin(fetch: typeof globalThis.fetch, { url, token }: Login): Promise<void> {
  const { revocation_endpoint } = await readEndpoints(fetch, new URL(url));
  const { status } = await post(fetch, revocation_endpoint, { token, client_id: commandLineClient.id });
  if (status !== 200)
    throw new ReadingError("unavailable", `Clew at ${url} did not end the token (status ${status}).`);
}

async function waitForPerson(listener: RedirectListener, timeoutMs: number): Promise<Arrival> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const minutes = Math.round(timeoutMs / 60_000);
    const message = `Nobody answered in the browser within ${minutes} minutes. Run \`clew login\` again.`;
    reject(new ReadingError("unavailable", message));
  }, timeoutMs);
  return Promise.race([listener.arrived, late]).finally(() => clearTimeout(timer));
}

/** Does what is left after the browser came back, and shows there how it ended. */
async function finish(arrival: Arrival, work: () => Promise<Login>): Promise<Login> {
  try {
    const login = await work();
    await arrival.show(200, "The command line is connected. You can close this window.");
    return login;
  } catch (error) {
    await arrival.show(400, "The command line is not connected. It says why in the terminal.");
    throw error;
  }
}

/** The code in Clew's response. The issuer is checked first: a response of another server is not to be believed (RFC 9207). */
function readCode(parameters: URLSearchParams, issuer: string): string {
  const { iss, error, error_description: description, code } = Object.fromEntries(parameters);
  if (iss !== issuer)
    throw new ReadingError(
      "refused",
      `The browser brought the answer of another server than ${issuer}. Nothing was connected.`,
    );
  if (error === "access_denied")
    throw new ReadingError("refused", "The request was denied in the browser. Nothing was connected.");
  if (error !== undefined || code === undefined)
    throw new ReadingError("refused", `Clew refused the request: ${explained({ error, description })}`);
  return code;
}

const explained = ({ error, description }: { readonly error?: unknown; readonly description?: unknown }) =>
  plainText(String(description ?? error ?? "it gave no reason."));

/** Reads where Clew's endpoints are (RFC 8414), and checks that they are Clew's. Throws `ReadingError`. */
async function readEndpoints(fetch: typeof globalThis.fetch, url: URL): Promise<Endpoints> {
  const address = addressOf(url);
  const { status, body } = await send(fetch, `${address}/.well-known/oauth-authorization-server`);
  if (status === 404)
    throw new ReadingError(
      "refused",
      `There is no sign-in for the command line at ${address}. Check the address. If it is right, programs may not connect here (OAUTH_CLIENTS): create a token in the dashboard, and set CLEW_TOKEN to it.`,
    );
  if (status !== 200)
    throw new ReadingError("unavailable", `Clew does not answer at ${address} (status ${status}).`);
  const { issuer, ...endpoints } = body;
  if (typeof issuer !== "string" || !URL.canParse(issuer))
    throw new ReadingError("unavailable", `Something else than Clew answers at ${address}.`);
  if (issuer !== address)
    throw new ReadingError(
      "usage",
      `Clew at ${address} has another address: ${plainText(issuer)}. Use that.`,
    );
  const own = (field: keyof Endpoints): string => {
    const endpoint = URL.parse(String(endpoints[field]));
    if (endpoint?.origin === url.origin) return endpoint.href;
    throw new ReadingError("refused", `Clew at ${address} names an address of another server for ${field}.`);
  };
  return {
    issuer,
    authorization_endpoint: own("authorization_endpoint"),
    token_endpoint: own("token_endpoint"),
    revocation_endpoint: own("revocation_endpoint"),
  };
}

/** Exchanges a code for a token (RFC 6749, section 4.1.3). `expiresIn` is in seconds. */
async function exchange(
  fetch: typeof globalThis.fetch,
  endpoint: string,
  fields: Readonly<Record<string, string>>,
): Promise<{ readonly token: string; readonly expiresIn: number }> {
  const { status, body } = await post(fetch, endpoint, fields);
  const { access_token: token, expires_in: expiresIn, error, error_description: description } = body;
  if (status === 400 || status === 401)
    throw new ReadingError("refused", `Clew refused the code: ${explained({ error, description })}`);
  if (
    status !== 200 ||
    typeof token !== "string" ||
    !/^svc_\w+$/.test(token) ||
    typeof expiresIn !== "number"
  )
    throw new ReadingError("unavailable", `Clew gave no token (status ${status}). Run \`clew login\` again.`);
  return { token, expiresIn };
}

const post = (fetch: typeof globalThis.fetch, address: string, fields: Readonly<Record<string, string>>) =>
  send(fetch, address, { method: "POST", body: new URLSearchParams(fields) });

interface Answer {
  readonly status: number;
  /** Empty for an answer that is not a JSON object. */
  readonly body: Readonly<Record<string, unknown>>;
}

async function send(
  fetch: typeof globalThis.fetch,
  address: string,
  init: RequestInit = {},
): Promise<Answer> {
  const { origin } = new URL(address);
  try {
    // A redirect would take the code or the token elsewhere.
    const request = { ...init, redirect: "manual", signal: AbortSignal.timeout(requestTimeoutMs) } as const;
    const response = await fetch(address, request);
    const text = await response.text();
    return { status: response.status, body: parsed(text) };
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const message = reason instanceof Error ? reason.message || reason.name : String(reason);
    throw new ReadingError("unavailable", `Clew does not answer at ${origin}: ${message}.`);
  }
}

function parsed(text: string): Answer["body"] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

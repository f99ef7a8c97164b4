import { streamProbeGapMs } from "@clew/contract";
import {
  basePathOf,
  issuerOf,
  mcpPath,
  resourceMetadataPath,
  serverMetadataPath,
} from "../../auth/apps/addresses.ts";
import type { Config } from "../../config/config.ts";
import { isLoopback } from "../../model/loopback.ts";
import { reasonOf } from "../../model/thrown.ts";
import { type CheckResult, failed, ok, warning } from "./check-result.ts";

/*
 * Clew as a hosted agent sees it, through PUBLIC_URL and whatever is before Clew. Each check names one fault of a proxy.
 */

export interface PublicViewContext {
  readonly config: Pick<Config, "publicUrl" | "oauthClients">;
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds on a clock that is never set. */
  readonly monotonic: () => number;
}

/** The name with which the agents of claude.ai call: some proxies refuse it. */
const agent = "Claude-User";
/** One that proxies let through, to tell a block of agents from one of everybody. */
const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const timeoutMs = 10_000;

/** An answer that was read. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Null if the text is not a JSON object. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** A fault of what is before Clew: what is so, and what to do. */
class ProxyFault extends Error {
  readonly advice: string;

  constructor(message: string, advice: string) {
    super(message);
    this.advice = advice;
  }
}

/** Checks Clew from outside, one result for each. */
export async function inspectPublicView(context: PublicViewContext): Promise<CheckResult[]> {
  const view = new PublicView(context);
  const isOff = context.config.oauthClients === "off";
  const checks: readonly (readonly [string, () => Promise<string>])[] = [
    ...(isOff ? [] : view.metadataChecks()),
    ["refusal without a token", () => view.checkChallenge()],
    ["header of tokens", () => view.checkAuthorizationHeader()],
    ...(isOff ? [] : [["token endpoint", () => view.checkTokenEndpoint()] as const]),
    ["event streams", () => view.checkStream()],
    ["caches", () => view.checkCaches()],
  ];
  const results = [view.checkAddress()];
  for (const [name, check] of checks) results.push(await found(name, check));
  if (isOff)
    results.push(
      warning(
        "programs",
        "OAUTH_CLIENTS=off: no program can connect with the URL alone",
        "Set it to open, or to hosts of programs.",
      ),
    );
  return results;
}

async function found(name: string, check: () => Promise<string>): Promise<CheckResult> {
  try {
    return ok(name, await check());
  } catch (error) {
    if (error instanceof ProxyFault) return failed(name, error.message, error.advice);
    throw error;
  }
}

class PublicView {
  readonly #context: PublicViewContext;
  readonly #issuer: string;
  readonly #origin: string;
  readonly #path: string;

  constructor(context: PublicViewContext) {
    this.#context = context;
    this.#issuer = issuerOf(context.config);
    this.#origin = context.config.publicUrl.origin;
    this.#path = basePathOf(context.config);
  }

  checkAddress(): CheckResult {
    const { hostname } = this.#context.config.publicUrl;
    if (!isLoopback(hostname)) return ok("address", this.#issuer);
    const text = `${this.#issuer} is this machine alone`;
    return warning(
      "address",
      text,
      "Hosted agents (claude.ai, ChatGPT) need a public PUBLIC_URL with https.",
    );
  }

  metadataChecks(): readonly (readonly [string, () => Promise<string>])[] {
    const resource = this.#issuer + mcpPath;
    const address = this.#origin + resourceMetadataPath + this.#path + mcpPath;
    return [
      ["metadata of the resource", () => this.#checkResource(address, resource)],
      [
        "queries in addresses",
        () => this.#checkResource(`${address}?tools=search,fetch`, `${resource}?tools=search,fetch`),
      ],
      ["metadata of the server", () => this.#checkServer()],
    ];
  }

  async #checkResource(address: string, expected: string): Promise<string> {
    const { resource, authorization_servers: servers } = await this.#document(address);
    if (resource !== expected)
      throw new ProxyFault(
        `${address} names the resource ${shown(resource)} instead of ${expected}`,
        reasonOfAddress(resource, expected),
      );
    if (!Array.isArray(servers) || servers.length !== 1 || servers[0] !== this.#issuer)
      throw new ProxyFault(
        `${address} names the authorization server ${shown(servers)} instead of ${this.#issuer}`,
        reasonOfAddress(Array.isArray(servers) ? servers[0] : undefined, this.#issuer),
      );
    return address;
  }

  async #checkServer(): Promise<string> {
    const address = this.#origin + serverMetadataPath + this.#path;
    const { issuer } = await this.#document(address);
    if (issuer === this.#issuer) return address;
    throw new ProxyFault(
      `${address} names the issuer ${shown(issuer)} instead of ${this.#issuer}`,
      reasonOfAddress(issuer, this.#issuer),
    );
  }

  /** An MCP client that has no token yet must learn where to get one (APP-2). */
  async checkChallenge(): Promise<string> {
    const address = this.#issuer + mcpPath;
    for (const method of ["GET", "POST"]) {
      const answer = await this.#ask(address, { method, ...(method === "POST" && message) });
      if (answer.status !== 401) throw unexpected(method, address, answer, 401);
      if (this.#context.config.oauthClients === "off") continue;
      const challenge = answer.headers.get("www-authenticate") ?? "";
      // Below PUBLIC_URL, so that it needs no line of the proxy for the root of the host.
      const expected = this.#issuer + resourceMetadataPath + mcpPath;
      if (!challenge.includes(`resource_metadata="${expected}"`))
        throw new ProxyFault(
          `the 401 of ${method} ${address} does not lead to ${expected}`,
          challenge === ""
            ? "The proxy drops WWW-Authenticate: it must pass on the headers of a 401, and must not answer it with a page of its own."
            : `Its WWW-Authenticate has another address. ${sameSettings}`,
        );
    }
    return `401 with the way to the metadata`;
  }

  /** An unknown token must be refused as such: otherwise no token arrives. */
  async checkAuthorizationHeader(): Promise<string> {
    const address = this.#issuer + mcpPath;
    const headers = { ...message.headers, authorization: `Bearer svc_${"0".repeat(32)}` };
    const answer = await this.#ask(address, { ...message, method: "POST", headers });
    if (answer.status !== 401) throw unexpected("POST", address, answer, 401);
    if (answer.body?.code === "token_invalid") return "tokens arrive";
    throw new ProxyFault(
      `a token that is sent to ${address} does not arrive`,
      "The proxy drops or replaces the header Authorization: pass it on as it is.",
    );
  }

  /** Agents' clouds send forms here, and the answer carries a token: it must be neither compressed nor cached (ERR-6). */
  async checkTokenEndpoint(): Promise<string> {
    const address = `${this.#issuer}/oauth/token`;
    const answer = await this.#ask(address, {
      method: "POST",
      body: new URLSearchParams({ grant_type: "none" }),
    });
    if (answer.status !== 400 || answer.body?.error !== "unsupported_grant_type")
      throw unexpected("POST", address, answer, 400);
    requireUncompressed(address, answer.headers);
    return "forms arrive";
  }

  async checkStream(): Promise<string> {
    const address = `${this.#issuer}/healthz/stream`;
    // Twice, since a busy network may join what was sent apart.
    for (const attempt of [1, 2]) {
      const { response, gapMs } = await this.#stream(address);
      const text = "";
      const answer = { status: response.status, headers: response.headers, text, body: null };
      this.#requireClew("GET", address, answer);
      if (response.status !== 200) throw unexpected("GET", address, answer, 200);
      requireUncompressed(address, response.headers);
      if (gapMs > streamProbeGapMs / 2) return "events arrive at once";
      if (attempt === 2) break;
    }
    throw new ProxyFault(
      "the proxy holds event streams back until they end",
      "Turn buffering of answers off for Clew: `proxy_buffering off` in nginx, `flush_interval -1` in Caddy.",
    );
  }

  async checkCaches(): Promise<string> {
    const address =
      this.#origin +
      (this.#context.config.oauthClients === "off"
        ? `${this.#path}/healthz`
        : serverMetadataPath + this.#path);
    const answers = [await this.#ask(address), await this.#ask(address)];
    const [first, second] = answers.map(({ headers }) => headers.get("x-request-id"));
    const isStored = first !== null && first !== undefined && first === second;
    for (const { headers } of answers) {
      const hit = cacheSigns.find(([name, value]) => value.test(headers.get(name) ?? ""));
      if (isStored || hit !== undefined)
        throw new ProxyFault(
          `a cache answers for Clew at ${address}`,
          "Cache nothing of Clew but /dashboard/: an answer may be about one person.",
        );
      const control = headers.get("cache-control") ?? "";
      if (!/no-store/.test(control))
        throw new ProxyFault(
          `Cache-Control arrives as ${shown(control)}, without no-store`,
          "The proxy must not replace Clew's Cache-Control, nor cache its answers.",
        );
    }
    return "nothing is cached";
  }

  /** A JSON document of Clew. */
  async #document(address: string): Promise<Readonly<Record<string, unknown>>> {
    const answer = await this.#ask(address);
    if (answer.status === 404 && this.#path !== "" && address.startsWith(`${this.#origin}/.well-known/`))
      throw new ProxyFault(
        `${address} does not lead to Clew (404)`,
        `Clients look there because PUBLIC_URL has a path. Have the proxy pass the paths below /.well-known/oauth- that end in ${this.#path} or ${this.#path}${mcpPath} to Clew, unchanged.`,
      );
    if (answer.status !== 200) throw unexpected("GET", address, answer, 200);
    if (answer.body === null) throw notClew("GET", address, answer);
    return answer.body;
  }

  /** Asks as an agent does. Throws `ProxyFault` for an answer that is not Clew's. */
  async #ask(address: string, init: RequestInit = {}): Promise<Answer> {
    const answer = await this.#send(address, init, agent);
    if (isClews(answer)) {
      this.#requireClew(init.method ?? "GET", address, answer);
      return answer;
    }
    if ([401, 403, 406, 429, 503].includes(answer.status) || answer.headers.has("cf-mitigated")) {
      const other = await this.#send(address, init, browser);
      if (isClews(other) || other.status !== answer.status)
        throw new ProxyFault(
          `${init.method ?? "GET"} ${address} is refused for agents (status ${answer.status}, User-Agent ${agent}), not for browsers`,
          allowAgents,
        );
    }
    this.#requireClew(init.method ?? "GET", address, answer);
    return answer;
  }

  #requireClew(method: string, address: string, answer: Answer): void {
    const { status, headers } = answer;
    if (status >= 300 && status < 400)
      throw redirected(method, address, headers.get("location") ?? "", this.#origin);
    if (headers.has("cf-mitigated") || [403, 429, 503].includes(status)) {
      if (!isClews(answer))
        throw new ProxyFault(`${method} ${address} is refused before Clew (status ${status})`, allowAgents);
    }
    if (status === 502 || status === 504)
      throw new ProxyFault(
        `${method} ${address} finds no Clew (status ${status})`,
        "The proxy does not reach Clew: check that Clew runs, and the address that the proxy has for it.",
      );
  }

  async #send(address: string, init: RequestInit, userAgent: string): Promise<Answer> {
    const response = await this.#fetch(address, init, userAgent);
    const text = await response.text().catch((error) => {
      throw unreachable(address, error);
    });
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  }

  async #fetch(address: string, init: RequestInit, userAgent: string): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("user-agent", userAgent);
    const signal = AbortSignal.timeout(timeoutMs);
    const request = { ...init, headers, redirect: "manual", signal } as const;
    return this.#context.fetch(address, request).catch((error) => {
      throw unreachable(address, error);
    });
  }

  /** The milliseconds from the first bytes of a stream to its end. */
  async #stream(address: string): Promise<{ readonly response: Response; readonly gapMs: number }> {
    const response = await this.#fetch(address, {}, agent);
    let first: number | null = null;
    try {
      for await (const _ of response.body ?? []) first ??= this.#context.monotonic();
    } catch (error) {
      throw unreachable(address, error);
    }
    return { response, gapMs: first === null ? 0 : this.#context.monotonic() - first };
  }
}

/** A message with which clients of the Model Context Protocol begin. */
const message = {
  headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
};

/** The headers with which caches say that an answer is theirs. */
const cacheSigns: readonly (readonly [string, RegExp])[] = [
  ["age", /^[1-9]/],
  ["cf-cache-status", /^(?:HIT|STALE|UPDATING)$/i],
  ["x-cache", /\bHIT\b/i],
];

const allowAgents =
  "Let agents' clouds through: no challenges and no blocking of bots for /api/v1/mcp, /.well-known/ and /oauth/ (in Cloudflare: AI Crawl Control, Bot Fight Mode, WAF).";
const sameSettings =
  "PUBLIC_URL of the running Clew must be the address that agents use. Restart Clew after a change.";

/** Whether Clew itself answered: its answers have an id, and its refusals a problem document. */
const isClews = ({ headers, body, status }: Answer): boolean =>
  headers.has("x-request-id") && (status < 400 || body !== null);

function parsed(text: string): Answer["body"] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** A value from outside, for a message. */
const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 200) ?? "nothing";

function reasonOfAddress(value: unknown, expected: string): string {
  if (typeof value === "string" && value === expected.replace(/^https:/, "http:"))
    return `It has http for https. ${sameSettings}`;
  if (typeof value === "string" && value === expected.replace(/\?.*$/s, ""))
    return "The proxy drops the query: pass the address on as it is.";
  return sameSettings;
}

function redirected(method: string, address: string, location: string, origin: string): ProxyFault {
  const target = URL.parse(location, address);
  const where = target === null ? "elsewhere" : target.origin + target.pathname;
  const isOfScheme = target !== null && target.host === new URL(address).host && target.origin !== origin;
  return new ProxyFault(
    `${method} ${address} is redirected to ${where}`,
    isOfScheme
      ? "The proxy leads from one scheme to another: PUBLIC_URL must have the one that it ends at."
      : "Agents do not follow redirects here: no sign-in of the proxy, and no rewriting of slashes, before Clew.",
  );
}

function requireUncompressed(address: string, headers: Headers): void {
  const encoding = headers.get("content-encoding");
  if (encoding === null || encoding === "identity") return;
  throw new ProxyFault(
    `the proxy compresses ${address} (${encoding})`,
    "Turn compression off for Clew, which compresses what may be: answers with tokens must not be, and event streams would be held back.",
  );
}

const notClew = (method: string, address: string, { headers, status }: Answer): ProxyFault =>
  new ProxyFault(
    `${method} ${address} is answered by something else than Clew (status ${status}, ${headers.get("content-type") ?? "no content type"})`,
    "The proxy answers itself, or leads to another service: lead this path to Clew, unchanged.",
  );

function unexpected(method: string, address: string, answer: Answer, expected: number): ProxyFault {
  if (!isClews(answer)) return notClew(method, address, answer);
  return new ProxyFault(
    `${method} ${address} has status ${answer.status} instead of ${expected}`,
    answer.status === 404 || answer.status === 405
      ? "The path or the method changes on the way: the proxy must pass both on as they are."
      : "See Clew's log for the reason.",
  );
}

function unreachable(address: string, error: unknown): ProxyFault {
  const { origin, hostname } = new URL(address);
  const reason = reasonOf(error instanceof Error && error.cause !== undefined ? error.cause : error);
  return new ProxyFault(
    `${origin} cannot be reached: ${reason}`,
    `Check the name ${hostname}, the certificate, the firewall, and that the proxy runs.`,
  );
}

/** @import { AccessToken, Problem } from "@clew/contract" */
import { forgetSession, keepSession, readSession } from "./session.js";

/** The base URL of the API, which is served next to the dashboard. */
export const apiBase = new URL("../api/", document.baseURI);

/** A request that Clew refused. The message is meant for people. */
export class Refused extends Error {}

/** A request was refused because the session is over. */
export class SessionOver extends Error {
  constructor() {
    super("Your session is over. Sign in again to continue.");
  }
}

/**
 * Describes a failure to a person.
 * @param {unknown} error
 */
export function explain(error) {
  if (error instanceof Refused || error instanceof SessionOver) return error.message;
  if (error instanceof TypeError) return "Clew cannot be reached. Is it running, and are you online?";
  return `Something went wrong on this page: ${error}`;
}

/** @typedef {{ method?: string, body?: unknown, headers?: Record<string, string>, signal?: AbortSignal }} Request */

/**
 * Calls the API as the person who signed in.
 * @template Answer
 * @param {string} path below `/api/`
 * @param {Request} [request]
 * @returns {Promise<Answer>} throws `SessionOver`, `Refused`, or a `TypeError` if Clew cannot be reached
 */
export async function call(path, request = {}) {
  return read(await ask(path, request));
}

/**
 * Calls the API as `call` does, and returns the body as a stream. Reading it can throw any error of the browser.
 * @param {string} path
 * @param {Request} request
 * @returns {Promise<ReadableStream<Uint8Array<ArrayBuffer>>>}
 */
export async function stream(path, request) {
  const response = await ask(path, request);
  return response.ok && response.body ? response.body : read(response);
}

/**
 * Sends a request. Renews an expired access token once.
 * @param {string} path
 * @param {Request} request
 */
async function ask(path, request) {
  const session = readSession();
  let response = await send(path, request, session?.access);
  if (response.status === 401) {
    await renew();
    response = await send(path, request, readSession()?.access);
  }
  if (response.status === 401) endSession();
  return response;
}

/** @type {Promise<void> | null} the renewal in progress, shared by all requests that wait for it */
let renewal = null;

function renew() {
  renewal ??= renewAccess().finally(() => {
    renewal = null;
  });
  return renewal;
}

/** Gets a new access token for the refresh token. Throws as `call` does. */
async function renewAccess() {
  const session = readSession();
  if (session === null) throw new SessionOver();
  const { refresh } = session;
  const response = await send("auth/refresh/", { method: "POST", body: { refresh } });
  if (response.status === 401) endSession();
  /** @type {AccessToken} */
  const { access } = await read(response);
  // The person may have signed out in the meantime.
  if (readSession()?.refresh === refresh) keepSession({ access, refresh });
}

/**
 * Ends the session on this page and dispatches `session-over`, only once even if several requests are refused.
 * @returns {never}
 */
function endSession() {
  if (readSession() !== null) {
    forgetSession();
    document.dispatchEvent(new Event("session-over"));
  }
  throw new SessionOver();
}

/**
 * @param {string} path
 * @param {Request} request
 * @param {string} [token]
 */
function send(path, { method = "GET", body, headers: extra, signal }, token) {
  const headers = new Headers(extra);
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  if (body !== undefined) headers.set("content-type", "application/json");
  const content = body === undefined ? null : JSON.stringify(body);
  const url = new URL(path, apiBase);
  return fetch(url, { method, headers, body: content, cache: "no-store", signal: signal ?? null });
}

/** @param {Response} response */
async function read(response) {
  const text = await response.text();
  if (response.ok) return JSON.parse(text || "null");
  throw new Refused(describe(response, text));
}

/**
 * The message of a refusal, which a proxy may have sent instead of Clew.
 * @param {Response} response
 * @param {string} text
 */
function describe({ status, headers }, text) {
  if (!headers.get("content-type")?.startsWith("application/problem+json")) {
    return `Clew did not answer as expected (${status}).`;
  }
  /** @type {Problem} */
  const { detail, errors = [] } = JSON.parse(text);
  return [detail, ...errors.map(({ path, message }) => `${path} ${message}`)].join(" ");
}

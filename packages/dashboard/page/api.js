/** @import { Problem } from "@clew/contract" */
import { accessToken, renewAccess } from "./session.js";

/** Where the API stands: beside the dashboard, wherever that is. */
export const apiBase = new URL("../api/", document.baseURI);

/** A request that Clew answered with a problem. The message is meant for people. */
export class ApiError extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    const faults = (problem.errors ?? []).map(({ path, message }) => `${path} ${message}`);
    super([problem.detail, ...faults].join(" "));
    this.code = problem.code;
    this.status = problem.status;
  }
}

/**
 * Calls the API as the person who signed in. An access token that has run out is renewed once.
 * @template Answer
 * @param {string} path below `/api/`
 * @param {{ method?: string, body?: unknown }} [request]
 * @returns {Promise<Answer>} throws `ApiError`, or a `TypeError` where Clew cannot be reached
 */
export async function call(path, request = {}) {
  let response = await send(path, request, accessToken());
  if (response.status === 401) response = await send(path, request, await renewAccess());
  if (!response.ok) throw new ApiError(await response.json());
  return JSON.parse((await response.text()) || "null");
}

/**
 * @param {string} path
 * @param {{ method?: string, body?: unknown }} request
 * @param {string | null} token
 */
function send(path, { method = "GET", body }, token) {
  const headers = new Headers();
  if (token !== null) headers.set("authorization", `Bearer ${token}`);
  if (body !== undefined) headers.set("content-type", "application/json");
  return fetch(new URL(path, apiBase), {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    cache: "no-store",
  });
}

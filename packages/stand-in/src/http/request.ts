import { isRecord, parseId, type Workspace } from "@clew/folder";
import type { FastifyRequest } from "fastify";
import type { View } from "../notion/view.ts";
import type { Grant } from "../oauth/state-file.ts";
import { ApiError, invalid } from "./api-error.ts";

/** The facts known about a request. */
interface RequestContext {
  /** The grant whose access token the request presented; null until it is authenticated. */
  grant: Grant | null;
  /** The workspace that the request reads, if not the current one. */
  workspace: Workspace | null;
}

/** The context of each request, created on first use. */
export type RequestContexts = (request: FastifyRequest) => RequestContext;

export function createRequestContexts(): RequestContexts {
  const contexts = new WeakMap<FastifyRequest, RequestContext>();
  return (request) => {
    const context = contexts.get(request) ?? { grant: null, workspace: null };
    contexts.set(request, context);
    return context;
  };
}

/** The parts that the API's routes share. */
export interface ApiServices {
  /** The caller's grant. */
  grantOf(request: FastifyRequest): Grant;
  /** The workspace as the caller's grant shows it. */
  viewOf(request: FastifyRequest): View;
  /** Reads the folder again, before a search begins. */
  reload(): Promise<Workspace>;
  /** The largest number of blocks in one Markdown response. */
  readonly markdownBlockLimit: number;
  /** The largest number of rows that one query returns over all its pages. */
  readonly queryRowLimit: number;
}

/** Reads an id of the path, written with or without dashes. */
export function readId(name: string, params: unknown): string {
  const value = isRecord(params) ? params[name] : undefined;
  const id = typeof value === "string" ? parseId(value) : null;
  if (id === null) throw invalid(`path.${name}`, "a valid uuid", value);
  return id;
}

/** Reads a body that must be an object. A missing body is an empty object. */
export function readBody(body: unknown): Record<string, unknown> {
  if (body === undefined || body === null) return {};
  if (!isRecord(body))
    throw new ApiError("validation_error", "body failed validation: body should be an object.");
  return body;
}

/** Reads an optional value that must be one of `choices`; null if it is missing. */
export function readChoice<T extends string>(path: string, value: unknown, choices: readonly T[]): T | null {
  if (value === undefined) return null;
  const choice = choices.find((one) => one === value);
  if (choice === undefined) throw invalid(path, choices.map((one) => `\`"${one}"\``).join(" or "), value);
  return choice;
}

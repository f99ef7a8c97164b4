import assert from "node:assert/strict";
import type { FieldError, Problem } from "@clew/contract";
import { expectDocumentedProblem, readDocument } from "../openapi/document.ts";
import type { RawAnswer, RawRequest } from "../support/raw-request.ts";
import { readerHeaders } from "../support/session.ts";
import { expectWellFormed } from "./expectations.ts";
import { fittingFields, type Input, readInputs, type Schema } from "./inputs.ts";
import { pathOf } from "./routes.ts";
import { readStored } from "./stored.ts";
import { bearer, openSurface, type Reader, type Surface } from "./surface.ts";

/** A route with a valid request, in which a test then makes one thing invalid. */
export interface Target extends Input {
  readonly path: string;
  /** The credentials that it needs or ignores. */
  readonly headers: Readonly<Record<string, string>>;
  /** The query parameters that it requires. */
  readonly fields: Readonly<Record<string, string>>;
  /** A body with all fields; null if none is declared. */
  readonly document: Readonly<Record<string, unknown>> | null;
}

/** Whether a request to the route deletes the caller, whom the other tests need. */
export const isFarewell = ({ method, pattern }: Input) => method === "DELETE" && pattern === "/api/auth/me";

/** A running Clew with the targets of hostile requests. */
export interface Range {
  readonly surface: Surface;
  readonly reader: Reader;
  readonly targets: readonly Target[];
  /** The id of a usable service token. */
  readonly tokenId: number;
  readonly nodeId: string;
  /** Sends a request, and checks that the response is well-formed, in the OpenAPI document, and not a 5xx. */
  send(request: RawRequest): Promise<RawAnswer>;
  /**
   * Expects a 4xx, or one of the statuses. If a path is given and the response is 400, the error must be reported for this
   * path.
   */
  expectRefused(request: RawRequest, at?: string, statuses?: readonly number[]): Promise<void>;
  /** Runs the work and checks that nothing stored has changed. */
  storesNothing(work: () => Promise<void>): Promise<void>;
}

export async function openRange(): Promise<Range> {
  const surface = await openSurface();
  const reader = await surface.signIn();
  const token = await surface.createToken(reader);
  const nodeId = await surface.idOf(reader, "Atlas of islands");
  const pageReader = await readerHeaders(surface.clew.url);
  const databaseId = await surface.idOf(reader, "Maps");
  const inputs = await readInputs(surface.routes, surface.send, nodeId, reader.workspace.id);
  const known: Readonly<Record<string, unknown>> = {
    q: "atlas",
    page: "Atlas of islands",
    ids: nodeId,
    from: nodeId,
    to: await surface.idOf(reader, "Compass roses"),
    refresh: reader.refresh,
    name: "a name",
    tags: true,
    scopes: ["graph:read"],
    workspace_ids: [reader.workspace.id],
    jsonrpc: "2.0",
    method: "ping",
    provider: reader.workspace.provider,
  };
  // They need a request that a browser has made: test/oauth makes them.
  const reachable = inputs.filter(({ pattern }) => !pattern.startsWith("/api/apps/"));
  const targets = reachable.map((input): Target => {
    const isV1 = /^\/api\/v1(?:\/|$)/.test(input.pattern);
    return {
      ...input,
      path: pathOf(input.pattern, input.pattern.endsWith("/rows") ? databaseId : nodeId, reader.workspace.id),
      headers: { ...bearer(isV1 ? token.token : reader.access), ...pageReader },
      fields: {
        ...(input.query && textsOf(fittingFields(input.query, known))),
        // A context needs a question or a page: neither is required alone.
        ...(input.pattern.endsWith("/context") && { q: "atlas" }),
      },
      document: input.body && fittingFields(input.body, known),
    };
  });
  const document = await readDocument(surface.clew.url);
  const send = async (request: RawRequest) => {
    const answer = await surface.send(request);
    expectWellFormed(request, answer);
    expectDocumentedProblem(document, request, answer);
    assert.ok(answer.status < 500, labelOf(request, answer));
    return answer;
  };
  return {
    surface,
    reader,
    targets,
    nodeId,
    tokenId: token.id,
    send,
    async expectRefused(request, at, statuses) {
      const answer = await send(request);
      const label = labelOf(request, answer);
      assert.ok(statuses ? statuses.includes(answer.status) : answer.status >= 400, label);
      if (at === undefined || answer.status !== 400) return;
      const { errors = [] }: Problem = answer.body;
      const isThere = ({ path }: FieldError) => path === at || path.startsWith(`${at}/`);
      assert.ok(errors.some(isThere), `no fault at ${at}: ${label}`);
    },
    async storesNothing(work) {
      const before = await readStored(surface.clew.databaseLocation);
      await work();
      assert.equal(await readStored(surface.clew.databaseLocation), before);
    },
  };
}

function textsOf(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
}

/** Describes a request and its response in a failure message. */
export function labelOf({ method, path, body }: RawRequest, { status, text }: RawAnswer): string {
  const sent = body === undefined ? "" : ` ${String(body).slice(0, 120)}`;
  return `${method} ${path.slice(0, 200)}${sent} → ${status} ${text.slice(0, 300)}`;
}

/** The JSON Pointer of a field in a document (RFC 6901). */
export const pointer = (name: string) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** The names and schemas of an object's fields. */
export const fieldsOf = (schema: Schema | null) => Object.entries(schema?.properties ?? {});

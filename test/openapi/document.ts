import assert from "node:assert/strict";
import type { RawAnswer, RawRequest } from "../support/raw-request.ts";

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example?: unknown;
}

/** A body of a request or a response. */
interface Media {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly examples?: Readonly<Record<string, unknown>>;
}

export interface Response {
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly deprecated?: boolean;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, Media>>;
  };
  readonly responses: Readonly<Record<string, Response>>;
}

/** The parts of the OpenAPI document that tests read. */
export interface Document {
  readonly [field: string]: unknown;
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

/** Reads the document of a running Clew. */
export async function readDocument(url: URL): Promise<Document> {
  const response = await fetch(new URL("api/v1/openapi.json", url));
  assert.equal(response.status, 200);
  return JSON.parse(await response.text());
}

/** An operation with its place in the document. */
export interface Located extends Operation {
  readonly method: string;
  /** With parameters in braces, as the document has it. */
  readonly path: string;
}

export function operationsOf({ paths }: Document): Located[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
}

/** The response of an operation to a status, with its reference followed; undefined if it declares none. */
export function responseOf(document: Document, operation: Operation, status: string): Response | undefined {
  const response = operation.responses[status];
  if (response?.$ref === undefined) return response;
  return document.components.responses[response.$ref.split("/").at(-1) ?? ""];
}

/** The problem codes that an operation declares, by status. */
export function problemCodes(document: Document, operation: Operation): Map<string, readonly string[]> {
  const codes = new Map<string, readonly string[]>();
  for (const status of Object.keys(operation.responses)) {
    const { schema } = responseOf(document, operation, status)?.content?.["application/problem+json"] ?? {};
    const own = (schema?.allOf as { properties?: { code: { enum: string[] } } }[] | undefined)?.[1];
    if (own?.properties !== undefined) codes.set(status, own.properties.code.enum);
  }
  return codes;
}

/** The operation that a request reaches; undefined if none does, or the path is an alias that the document leaves out. */
function operationFor(document: Document, { method, path }: RawRequest): Located | undefined {
  const asked = path.replace(/\?.*$/s, "").replace(/\/$/, "");
  return operationsOf(document).find((operation) => {
    const pattern = operation.path.replace(/\/$/, "").replace(/[.]/g, "\\.").replace("{id}", "[^/]+");
    return operation.method === method && new RegExp(`^${pattern}$`).test(asked);
  });
}

/** Checks that the document declares the problem with which an operation refused a request. */
export function expectDocumentedProblem(document: Document, request: RawRequest, answer: RawAnswer): void {
  const code: unknown = answer.body?.code;
  if (typeof code !== "string" || beforeOperation.includes(code)) return;
  const operation = operationFor(document, request);
  if (operation === undefined) return;
  const declared = problemCodes(document, operation).get(String(answer.status));
  assert.ok(declared?.includes(code), `${operation.operationId} does not declare ${code}: ${answer.text}`);
}

/** The case of the `default` response: HTTP that reaches no operation. */
const beforeOperation = [
  "invalid_request",
  "invalid_json",
  "not_found",
  "body_too_large",
  "unsupported_media_type",
  "expectation_failed",
  "misdirected_request",
  "url_too_long",
  "headers_too_large",
];

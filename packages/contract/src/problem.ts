import { type Static, Type } from "typebox";
import { named, oneOf } from "./schema.ts";

/** The closed list of error codes (ERR-2): the HTTP status and the RFC 9457 title of each. */
export const problems = {
  invalid_request: { status: 400, title: "The request is not valid" },
  invalid_json: { status: 400, title: "The body is not JSON" },
  invalid_cursor: { status: 400, title: "The cursor does not belong to this request" },
  unauthenticated: { status: 401, title: "Credentials are required" },
  token_invalid: { status: 401, title: "The token is not valid" },
  token_expired: { status: 401, title: "The token has expired" },
  token_revoked: { status: 401, title: "The token was revoked" },
  wrong_token_type: { status: 403, title: "This kind of token is not accepted at this path" },
  insufficient_scope: { status: 403, title: "The token lacks a required scope" },
  workspace_not_allowed: { status: 403, title: "The caller has no access to the workspace" },
  origin_not_allowed: { status: 403, title: "Requests from pages of this origin are not allowed" },
  not_found: { status: 404, title: "The resource does not exist" },
  node_not_found: { status: 404, title: "The node does not exist" },
  method_not_allowed: { status: 405, title: "The method is not allowed at this path" },
  not_acceptable: { status: 406, title: "No acceptable representation" },
  request_timeout: { status: 408, title: "The request took too long to arrive" },
  token_limit_reached: { status: 409, title: "The limit of usable service tokens is reached" },
  conflict: { status: 409, title: "The current state does not allow the request" },
  cursor_expired: { status: 410, title: "The cursor has expired" },
  body_too_large: { status: 413, title: "The body is too large" },
  url_too_long: { status: 414, title: "The URL is too long" },
  unsupported_media_type: { status: 415, title: "The media type is not supported" },
  expectation_failed: { status: 417, title: "The expectation cannot be met" },
  misdirected_request: { status: 421, title: "The request names another host" },
  rate_limited: { status: 429, title: "Too many requests" },
  headers_too_large: { status: 431, title: "The headers are too large" },
  internal: { status: 500, title: "Internal error" },
  unavailable: { status: 503, title: "The service is not available right now" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problems;

const problemCodes = Object.keys(problems) as ProblemCode[];

/** An error in one field or parameter of a request. */
export const FieldError = Type.Object({
  path: Type.String({
    description: "JSON Pointer into the body (RFC 6901), or `?name` of a query parameter",
  }),
  message: Type.String(),
});
export type FieldError = Static<typeof FieldError>;

/** RFC 9457 problem details, with Clew's `code`, `request_id` and `errors` (ERR-1). */
export const Problem = named(
  "Problem",
  Type.Object({
    type: Type.String({ description: "`urn:clew:problem:` and the code" }),
    title: Type.String(),
    status: Type.Integer(),
    code: oneOf(problemCodes),
    detail: Type.String(),
    request_id: Type.String(),
    errors: Type.Optional(Type.Array(FieldError)),
  }),
);
export type Problem = Static<typeof Problem>;

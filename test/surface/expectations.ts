import assert from "node:assert/strict";
import { problems } from "@clew/contract";
import type { RawAnswer, RawRequest } from "../support/raw-request.ts";

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Checks what every response must have (ERR-1, ERR-6). */
export function expectWellFormed(request: Pick<RawRequest, "method" | "path">, answer: RawAnswer): void {
  const label = `${request.method} ${request.path} → ${answer.status} ${answer.text.slice(0, 300)}`;
  const { headers, status } = answer;
  assert.match(String(headers["x-request-id"]), uuid, label);
  assert.equal(headers["x-content-type-options"], "nosniff", label);
  assert.match(String(headers.vary), /\bAuthorization\b.*\bAccept\b/, label);
  const mayKeep =
    ["GET", "HEAD"].includes(request.method) && status < 400 && request.path.startsWith("/dashboard/assets/");
  const caching = mayKeep ? /^public, max-age=31536000, immutable$/ : /^(?:private, )?no-(?:store|cache)$/;
  assert.match(String(headers["cache-control"]), caching, label);
  const isForPrograms = /^\/(?:\.well-known\/oauth-|oauth\/(?:register|token)\b)/.test(request.path);
  assert.equal(
    headers["access-control-allow-origin"],
    isForPrograms && status !== 404 ? "*" : undefined,
    label,
  );
  if (status >= 400) expectProblem(request, answer, label);
}

function expectProblem(request: Pick<RawRequest, "method" | "path">, answer: RawAnswer, label: string): void {
  const { headers, status, body } = answer;
  // MCP has its own error format (JSON-RPC 2.0, section 5.1).
  if (/^\/api\/v1\/mcp\b/.test(request.path) && body?.jsonrpc === "2.0") {
    assert.ok(Number.isInteger(body.error.code) && body.error.message !== "", label);
    return;
  }
  // People see a page, and programs OAuth's format of errors (RFC 6749, section 5.2).
  if (/^\/oauth\/authorize\b/.test(request.path) && status === 400) {
    assert.match(String(headers["content-type"]), /^text\/html\b/, label);
    return;
  }
  if (/^\/oauth\/(?:register|token|revoke)\b/.test(request.path) && ![404, 405, 421].includes(status)) {
    assert.ok(typeof body.error === "string" && body.error_description !== "", label);
    return;
  }
  assert.match(String(headers["content-type"]), /^application\/problem\+json\b/, label);
  assert.ok(status === 401 ? headers["www-authenticate"] : true, label);
  if (request.method === "HEAD") return;
  const known = Object.entries(problems).find(([code]) => code === body.code);
  assert.ok(known, label);
  const [code, { title }] = known;
  assert.deepEqual(
    { type: body.type, title: body.title, status: body.status, known: known[1].status },
    { type: `urn:clew:problem:${code}`, title, status, known: status },
    label,
  );
  assert.equal(body.request_id, headers["x-request-id"], label);
  assert.ok(typeof body.detail === "string" && body.detail !== "", label);
}

import fc from "fast-check";
import { anyCall } from "../../../packages/server/src/mcp/testing/any-request.ts";
import type { FuzzRequest } from "../ground.ts";
import { hostileText, mutatedJson, nested } from "../hostile.ts";
import { requestGrammar, tryRequest } from "./requests.ts";

const versions = ["2025-06-18", "2025-11-25", "2026-07-28", "1999-01-01", "\u00ff", ""];

/** A call without a wait, which holds an answer back on purpose. */
const call = anyCall.map(([name, { wait: _, ...given }]) => ({ name, arguments: given }));

const client = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "a program", version: "1" },
};
const uri = fc.oneof(fc.constantFrom("clew://pages", "clew://page/1", "file:///etc/passwd"), hostileText);

const message = fc.oneof(
  { weight: 6, arbitrary: call.map((params) => ({ method: "tools/call", params })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ method: "initialize", params: client }, { method: "server/discover" }),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("tools/list", "ping", "prompts/list", "resources/list")
      .map((method) => ({ method })),
  },
  { weight: 1, arbitrary: uri.map((each) => ({ method: "resources/read", params: { uri: each } })) },
  {
    weight: 1,
    arbitrary: hostileText.map((name) => ({ method: "prompts/get", params: { name, arguments: {} } })),
  },
);

const json = mutatedJson(
  fc
    .tuple(message, fc.constantFrom<unknown>(1, "a", 2 ** 53, null))
    .map(([each, id]) => ({ jsonrpc: "2.0", id, ...each })),
).map((each) => JSON.stringify(each));

/** Messages up to the limit of a body (LIM-3): nesting, long texts, many items. */
const large = fc
  .tuple(
    fc.constantFrom("tools/call", "initialize"),
    fc.constantFrom(
      nested('{"a":', "1", "}", 9_000),
      nested("[", "", "]", 30_000),
      `[${'"a",'.repeat(12_000)}"a"]`,
      JSON.stringify("secret ".repeat(8_000)),
      JSON.stringify('"'.repeat(25_000)),
      JSON.stringify("\u0301".repeat(25_000)),
      "1".repeat(60_000),
    ),
    fc.constantFrom("question", "query", "page", "where", "also", "ids", "database"),
    fc.constantFrom(
      "get_context",
      "search",
      "search_text",
      "read_page",
      "get_rows",
      "query_database",
      "get_links",
    ),
  )
  .map(
    ([method, value, field, name]) =>
      `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{"name":"${name}","arguments":{"${field}":${value}}}}`,
  );

const requests = fc
  .tuple(
    fc.oneof({ weight: 12, arbitrary: json }, { weight: 1, arbitrary: large }),
    fc.option(fc.constantFrom(...versions), { nil: null }),
  )
  .map(([body, version]): FuzzRequest => {
    const types = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const headers = { ...types, ...(version !== null && { "mcp-protocol-version": version }) };
    return { method: "POST", path: "/api/v1/mcp", as: "token", headers, body };
  });

/** Messages of agents (AGT-1). */
export const mcp = requestGrammar("mcp", requests, tryRequest);

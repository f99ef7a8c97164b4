import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { ApiError } from "../model/api-error.ts";
import { traceIdOf } from "./request-log.ts";
import { createServer } from "./server.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parentId = "00f067aa0ba902b7";

test("OPS-2: the trace id is that of a valid traceparent, and of no other", () => {
  const valid = [
    `00-${traceId}-${parentId}-01`,
    `00-${traceId}-${parentId}-00`,
    `01-${traceId}-${parentId}-01`,
    `cc-${traceId}-${parentId}-01-what the future will be like`,
  ];
  for (const header of valid) assert.equal(traceIdOf(header), traceId, header);
  const invalid = [
    undefined,
    "",
    traceId,
    `ff-${traceId}-${parentId}-01`,
    `00-${traceId}-${parentId}-01-more`,
    `cc-${traceId}-${parentId}-01.more`,
    `00-${traceId.toUpperCase()}-${parentId}-01`,
    `00-${"0".repeat(32)}-${parentId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId}0-${parentId}-01`,
    `00-${traceId}-${parentId}-1`,
    ` 00-${traceId}-${parentId}-01`,
    `00-${traceId}-${parentId}-01\n`,
    `00-${traceId}-${parentId}-01, 00-${traceId}-${parentId}-01`,
    [`00-${traceId}-${parentId}-01`],
  ];
  for (const header of invalid) assert.equal(traceIdOf(header), null, String(header));
});

/** A server with a health check and a route, and what it logs. */
function testServer(level: string) {
  const lines: string[] = [];
  const app = createServer({
    log: pino({ level }, { write: (line: string) => void lines.push(line) }),
    publicOrigin: "https://clew.example",
    dashboardOrigin: "https://clew.example",
    senderOf: () => ({ user_id: "ann", token_id: 3 }),
  });
  let isReady = true;
  const access = { kind: "open" } as const;
  app.get("/readyz", { config: { access, isHealthCheck: true } }, async () => {
    if (!isReady) throw new Error("down");
    return "ok";
  });
  app.get("/things", { config: { access } }, async () => "ok");
  app.get("/full", { config: { access } }, async () => {
    throw new ApiError("unavailable", "The queue is full.", { headers: { "retry-after": "1" } });
  });
  return {
    app,
    fail: () => {
      isReady = false;
    },
    lines: () => lines.map((line) => JSON.parse(line)),
  };
}

test("OPS-2: the lines of a request have its sender, Clew's request id and the proxy's trace id", async () => {
  const { app, lines } = testServer("info");
  const headers = { traceparent: `00-${traceId}-${parentId}-01` };
  const { headers: answered } = await app.inject({ url: "/things", headers });
  await app.inject({ url: "/nothing", headers });
  await app.inject({ url: "/things", headers: { traceparent: "hush" } });
  const logged = lines();
  const facts = logged.map(({ route, trace_id, user_id, token_id }) => [route, trace_id, user_id, token_id]);
  assert.deepEqual(facts, [
    ["/things", traceId, "ann", 3],
    ["unknown", traceId, "ann", 3],
    ["/things", undefined, "ann", 3],
  ]);
  assert.equal(logged[0].reqId, answered["x-request-id"]);
  assert.doesNotMatch(JSON.stringify(logged), /hush/);
});

test("OPS-2: a health check that succeeds is logged at debug alone, and one that fails at info", async () => {
  const [info, debug] = [testServer("info"), testServer("debug")];
  for (const { app } of [info, debug]) await app.inject("/readyz");
  assert.deepEqual(info.lines(), []);
  assert.deepEqual(
    debug.lines().map(({ level, route }) => [level, route]),
    [[20, "/readyz"]],
  );
  info.fail();
  await info.app.inject("/readyz");
  assert.deepEqual(
    info.lines().map(({ level, msg }) => [level, msg]),
    [
      [50, "a request failed"],
      [30, "request completed"],
    ],
  );
});

test("OPS-2: a refusal that only asks to come again is logged as a warning, without a stack", async () => {
  const { app, lines } = testServer("info");
  assert.equal((await app.inject("/full")).statusCode, 503);
  assert.deepEqual(
    lines().map(({ level, msg, reason, err }) => [level, msg, reason, err]),
    [
      [40, "refused a request for now", "The queue is full.", undefined],
      [30, "request completed", undefined, undefined],
    ],
  );
});

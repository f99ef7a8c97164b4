import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { type TestContext, test } from "node:test";
import { closed, commaList, oneOf, Problem, type ProblemCode, problems, ref } from "@clew/contract";
import { pino } from "pino";
import { Type } from "typebox";
import { ApiError } from "../model/api-error.ts";
import { createServer } from "./server.ts";
import { registerWrongMethods } from "./wrong-method.ts";

const Body = closed({ name: Type.String(), count: Type.Optional(Type.Integer({ minimum: 1 })) });
const Query = closed({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 9, default: 3 })) });
const Words = closed({
  q: Type.String({ minLength: 1 }),
  order: Type.Optional(oneOf(["asc", "desc"])),
  is: Type.Optional(commaList(["row", "orphan"], "-?")),
  include: Type.Optional(commaList(["outline"])),
  at: Type.Optional(Type.String({ pattern: "^\\d+$" })),
});
const config = { access: { kind: "open" } } as const;

/** A server of one resource, which echoes requests or throws on request. */
async function testServer(options: Partial<Parameters<typeof createServer>[0]> = {}) {
  const lines: string[] = [];
  const app = createServer({
    log: pino({}, { write: (line: string) => void lines.push(line) }),
    publicOrigin: "https://clew.example",
    dashboardOrigin: "https://clew.example",
    isUnavailable: (error) => error instanceof Error && "code" in error && error.code === "EUNAVAILABLE",
    ...options,
  });
  const closeMethods = registerWrongMethods(app);
  app.post("/things/", { schema: { body: Body }, config }, async ({ body }) => body);
  app.get(
    "/things/",
    {
      schema: {
        querystring: Query,
        response: { 200: Type.Object({ limit: Type.Integer() }), default: ref(Problem) },
      },
      config,
    },
    async ({ query }) => ({ limit: query.limit ?? 0, inside: "never told" }),
  );
  app.get("/words/", { schema: { querystring: Words }, config }, async ({ query }) => query);
  app.get("/seen/", { config }, async ({ ip, host, protocol }) => ({ ip, host, protocol }));
  app.get("/broken/:how", { config }, async (request) => {
    const { how } = request.params as { how: string };
    if (how === "refusal")
      throw new ApiError("conflict", "It is so.", {
        headers: { "retry-after": "7" },
        cause: new Error("why"),
      });
    throw Object.assign(new Error("secret detail of the inside"), { code: how });
  });
  closeMethods();
  return { app, lines };
}

async function postThing(payload: string | Buffer, type = "application/json") {
  const { app } = await testServer();
  return app.inject({ method: "POST", url: "/things/", payload, headers: { "content-type": type } });
}

function isProblem(
  answer: { statusCode: number; headers: Record<string, unknown>; json(): Problem },
  code: ProblemCode,
) {
  const problem = answer.json();
  assert.equal(problem.code, code);
  assert.equal(answer.statusCode, problems[code].status);
  assert.equal(problem.status, answer.statusCode);
  assert.equal(problem.title, problems[code].title);
  assert.equal(problem.request_id, answer.headers["x-request-id"]);
  assert.match(String(answer.headers["content-type"]), /^application\/problem\+json/);
  return problem;
}

test("ERR-1: every fault of a body is listed with its path", async () => {
  const answer = await postThing('{"count": "5", "extra/field": 1}');
  const { errors } = isProblem(answer, "invalid_request");
  assert.deepEqual(errors?.map(({ path }) => path).toSorted(), ["/count", "/extra~1field", "/name"]);
});

test("ERR-1: an invalid or duplicate query parameter is named with a question mark", async () => {
  const { app } = await testServer();
  for (const [query, path] of [
    ["limit=0", "?limit"],
    ["limit=x", "?limit"],
    ["limit=1&limit=2", "?limit"],
    ["other=1", "?other"],
    // Each number has one spelling, and text must be UTF-8.
    ["limit=0x1", "?limit"],
    ["limit=1e0", "?limit"],
    ["limit=1.0", "?limit"],
    ["limit=+1", "?limit"],
    ["limit=Infinity", "?limit"],
    ["limit=%ED%A0%80", "?limit"],
    ["%C0%AF=1", "?%C0%AF"],
  ] as const) {
    const answer = await app.inject(`/things/?${query}`);
    const { errors } = isProblem(answer, "invalid_request");
    assert.deepEqual([...new Set(errors?.map((fault) => fault.path))], [path]);
  }
});

test("ERR-1: messages about parameters are in plain words", async () => {
  const { app } = await testServer();
  const messageOf = async (query: string) => {
    const { errors } = isProblem(await app.inject(`/words/?${query}`), "invalid_request");
    return errors?.map(({ path, message }) => `${path} ${message}`).join("; ");
  };
  assert.equal(await messageOf("q="), "?q must not be empty");
  assert.equal(await messageOf("q=a&q=b"), "?q is given more than once");
  assert.equal(await messageOf("q=a&order=up&order=down"), "?order is given more than once");
  assert.equal(
    await messageOf("q=a&is=rows"),
    "?is must be one of row, orphan, or several with commas between them",
  );
  assert.equal(await messageOf("q=a&include=x"), "?include must be outline");
  assert.equal(await messageOf("q=a&at=x"), "?at does not have the form that the documentation describes");
});

test("ERR-2: bodies that are not JSON, not UTF-8, empty or nested too deeply are invalid_json", async () => {
  for (const body of [
    "{",
    "",
    "{'a':1}",
    "// x\n{}",
    Buffer.from([0x7b, 0xff, 0x7d]),
    "\ufeff{}",
    "[".repeat(60_000),
  ]) {
    isProblem(await postThing(body), "invalid_json");
  }
});

test("ERR-2: a duplicate field is refused with its path", async () => {
  const { errors } = isProblem(await postThing('{"name": "a", "na\\u006de": "b"}'), "invalid_request");
  assert.deepEqual(errors, [{ path: "/name", message: "is given more than once" }]);
});

test("ERR-2: of many duplicate fields deep in a body, the first twenty are named", async () => {
  const twice = Array.from({ length: 2_000 }, (_, index) => `"${index}":1,"${index}":1`).join();
  const answer = await postThing(`${'{"a":'.repeat(1_000)}{${twice}}${"}".repeat(1_000)}`);
  const { errors } = isProblem(answer, "invalid_request");
  const paths = Array.from({ length: 20 }, (_, index) => `${"/a".repeat(1_000)}/${index}`);
  assert.deepEqual(
    errors?.map(({ path }) => path),
    paths,
  );
});

test("ERR-2: a wrong content type is 415 and a body over 64 KiB is 413", async () => {
  isProblem(await postThing("name=a", "application/x-www-form-urlencoded"), "unsupported_media_type");
  isProblem(await postThing(JSON.stringify({ name: "x".repeat(65_536) })), "body_too_large");
});

test("ERR-2: a wrong method is 405 with Allow, an unknown path is 404 with any method", async () => {
  const { app } = await testServer();
  for (const method of ["DELETE", "PUT", "PATCH", "PROPFIND", "QUERY"]) {
    // light-my-request's types know the common methods only
    const answer = await app.inject({ method: method as "PUT", url: "/things" });
    isProblem(answer, "method_not_allowed");
    assert.equal(answer.headers.allow, "GET, HEAD, OPTIONS, POST");
    isProblem(await app.inject({ method: method as "PUT", url: "/nothing" }), "not_found");
  }
  const options = await app.inject({ method: "OPTIONS", url: "/things/" });
  assert.deepEqual([options.statusCode, options.headers.allow], [204, "GET, HEAD, OPTIONS, POST"]);
});

test("ERR-6: responses of the router itself carry the common headers", async () => {
  const { app } = await testServer();
  const answer = await app.inject("/broken/%ED%A0%80");
  isProblem(answer, "invalid_request");
  assert.equal(answer.headers["x-content-type-options"], "nosniff");
  assert.equal(answer.headers["cache-control"], "private, no-store");
});

test("ERR-4: an internal error is reported only in the log", async () => {
  const { app, lines } = await testServer();
  const answer = await app.inject("/broken/EWHATEVER");
  isProblem(answer, "internal");
  assert.doesNotMatch(answer.body, /secret detail/);
  assert.ok(lines.some((line) => line.includes("secret detail")));
  isProblem(await app.inject("/broken/EUNAVAILABLE"), "unavailable");
});

test("ERR-1: an error response has its own headers", async () => {
  const { app } = await testServer();
  const answer = await app.inject("/broken/refusal");
  isProblem(answer, "conflict");
  assert.equal(answer.headers["retry-after"], "7");
});

test("OPS-5: X-Forwarded-* headers are used only if a trusted proxy sends them", async () => {
  const headers = {
    host: "clew.example",
    "x-forwarded-for": "192.0.2.1",
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "https",
  };
  const direct = await (await testServer()).app.inject({ url: "/seen/", headers });
  assert.deepEqual(direct.json(), { ip: "127.0.0.1", host: "clew.example", protocol: "http" });
  const { app } = await testServer({ trustsProxy: (address) => address === "127.0.0.1" });
  const proxied = await app.inject({ url: "/seen/", headers });
  assert.deepEqual(proxied.json(), { ip: "192.0.2.1", host: "evil.example", protocol: "https" });
});

test("ERR-5: paths answer with and without their trailing slash", async () => {
  const { app } = await testServer();
  for (const url of ["/things", "/things/"]) assert.deepEqual((await app.inject(url)).json(), { limit: 3 });
});

test("ERR-6: every response carries the common headers, and only the dashboard's origin may read it", async () => {
  const { app } = await testServer();
  for (const url of ["/things", "/nothing", "/broken/x"]) {
    const { headers } = await app.inject({ url, headers: { origin: "https://clew.example" } });
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["cache-control"], "private, no-store");
    assert.match(String(headers.vary), /Authorization, Accept/);
    assert.equal(headers["access-control-allow-origin"], "https://clew.example");
    assert.equal(headers["access-control-allow-credentials"], undefined);
  }
  const stranger = await app.inject({ url: "/things", headers: { origin: "https://elsewhere.example" } });
  assert.notEqual(stranger.headers["access-control-allow-origin"], "https://elsewhere.example");
  assert.notEqual(stranger.headers["access-control-allow-origin"], "*");
});

test("ERR-6: a preflight request shows the dashboard's origin what it may send", async () => {
  const { app } = await testServer();
  const ask = (origin: string) =>
    app.inject({
      method: "OPTIONS",
      url: "/things",
      headers: { origin, "access-control-request-method": "POST" },
    });
  const { statusCode, headers } = await ask("https://clew.example");
  assert.equal(statusCode, 204);
  assert.equal(headers["access-control-allow-origin"], "https://clew.example");
  assert.match(String(headers["access-control-allow-methods"]), /\bPOST\b/);
  assert.match(String(headers["access-control-allow-headers"]), /\bAuthorization\b/);
  const stranger = (await ask("https://elsewhere.example")).headers;
  assert.deepEqual(
    Object.keys(stranger).filter((name) => name.startsWith("access-control-")),
    [],
  );
  // A response for one origin must not be cached for another.
  assert.match(String(stranger.vary), /\bOrigin\b/);
});

test("SIGN-8: the log contains no queries, headers or bodies", async () => {
  const { app, lines } = await testServer();
  await app.inject({
    url: "/things?limit=4&code=hush-code",
    headers: { authorization: "Bearer hush-token" },
  });
  await app.inject({ method: "POST", url: "/things?state=hush-state", payload: { name: "hush-body" } });
  await app.inject("/nothing/hush-path?hush-query");
  assert.ok(lines.length >= 3);
  assert.doesNotMatch(lines.join(""), /hush/);
});

/** Sends bytes and returns all that comes back until the server ends the connection. */
async function raw(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.setEncoding("utf8");
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  socket.on("error", () => {});
  socket.write(text);
  await once(socket, "close");
  return answer;
}

/** Listens until the test ends, and returns the port. */
async function listen(t: TestContext, options?: Parameters<typeof testServer>[0]): Promise<number> {
  const { app } = await testServer(options);
  t.after(() => app.close());
  return Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
}

/** Asserts that a raw response is a problem with the common headers. */
function isRawProblem(answer: string, code: ProblemCode, request: string) {
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  assert.match(head, new RegExp(`^HTTP/1.1 ${problems[code].status} `), request);
  assert.match(head, /content-type: application\/problem\+json/i);
  assert.match(head, /x-content-type-options: nosniff/i);
  assert.equal(JSON.parse(body).code, code, request);
}

test("ERR-1: a request without Host, with two, with an absolute target or with two lengths gets a problem", async (t) => {
  const port = await listen(t);
  const close = "Connection: close\r\n\r\n";
  for (const request of [
    `GET /things/ HTTP/1.1\r\n${close}`,
    `GET /things/ HTTP/1.1\r\nHost: a\r\nHost: a\r\n${close}`,
    `GET /things/ HTTP/1.1\r\nHost: a\r\nHOST: b\r\n${close}`,
    `GET /things/ HTTP/1.1\r\nHost: a/b@c\r\n${close}`,
    `GET http://evil.example/things/ HTTP/1.1\r\nHost: evil.example\r\n${close}`,
    `OPTIONS * HTTP/1.1\r\nHost: a\r\n${close}`,
    // A proxy may take another one of the two lengths.
    `POST /things/ HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n${close}0\r\n\r\n`,
    `POST /things/ HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nContent-Length: 5\r\n${close}abcde`,
    `POST /things/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked, gzip\r\n${close}0\r\n\r\n`,
  ]) {
    const answer = await raw(port, request);
    isRawProblem(answer, "invalid_request", request);
    assert.doesNotMatch(answer, /evil/);
  }
  for (const fine of [`HTTP/1.1\r\nHost: [::1]:8420\r\n`, `HTTP/1.1\r\nHost:\r\n`, "HTTP/1.0\r\n"]) {
    assert.match(await raw(port, `GET /things/ ${fine}${close}`), /^HTTP\/1\.1 200 /, fine);
  }
});

test("ERR-2: an expectation that cannot be met is 417, and 100-continue is met", async (t) => {
  const port = await listen(t);
  const post = (expect: string) =>
    raw(
      port,
      `POST /things/ HTTP/1.1\r\nHost: a\r\nExpect: ${expect}\r\nContent-Type: application/json\r\n` +
        'Content-Length: 12\r\nConnection: close\r\n\r\n{"name":"a"}',
    );
  isRawProblem(await post("a-miracle"), "expectation_failed", "Expect: a-miracle");
  assert.match(await post("100-Continue"), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
});

test("ERR-6: other origins may not embed responses, and on https Clew sends HSTS", async (t) => {
  for (const [publicOrigin, expected] of [
    ["https://clew.example", "max-age=31536000"],
    ["http://localhost:8420", undefined],
  ] as const) {
    const { app } = await testServer({ publicOrigin });
    for (const url of ["/things", "/nothing", "/broken/%ED%A0%80"]) {
      const { headers } = await app.inject(url);
      assert.equal(headers["strict-transport-security"], expected, url);
      assert.equal(headers["cross-origin-resource-policy"], "same-origin", url);
    }
    const answer = await raw(await listen(t, { publicOrigin }), "NONSENSE\r\n\r\n");
    assert.equal(/strict-transport-security: (.*)\r/.exec(answer)?.[1], expected);
    assert.match(answer, /cross-origin-resource-policy: same-origin/);
  }
});

test("LIM-3: a URL over 8 KiB, headers over 16 KiB and non-HTTP data get problems", async (t) => {
  const port = await listen(t);
  const head = "Host: x\r\nConnection: close\r\n";
  const cases: readonly (readonly [string, ProblemCode])[] = [
    [`GET /${"a".repeat(9_000)} HTTP/1.1\r\n${head}\r\n`, "url_too_long"],
    [`GET /${"a".repeat(40_000)} HTTP/1.1\r\n${head}\r\n`, "url_too_long"],
    [`GET / HTTP/1.1\r\n${head}X-Long: ${"a".repeat(17_000)}\r\n\r\n`, "headers_too_large"],
    [`GET / HTTP/1.1\r\n${head}X-Long: ${"a".repeat(40_000)}\r\n\r\n`, "headers_too_large"],
    ["NONSENSE\r\n\r\n", "invalid_request"],
    [`GET /%zz HTTP/1.1\r\n${head}\r\n`, "invalid_request"],
  ];
  for (const [request, code] of cases) {
    const answer = await raw(port, request);
    assert.match(
      answer,
      new RegExp(`^HTTP/1.1 ${problems[code].status} `),
      `${request.slice(0, 30)}: ${answer.slice(0, 200)}`,
    );
    assert.match(answer, new RegExp(`"code":"${code}"`));
    assert.match(answer, /application\/problem\+json/);
  }
});

test("LIM-3: idle connections are kept for longer than proxies use them", async (t) => {
  const { app } = await testServer();
  t.after(() => app.close());
  const response = await fetch(new URL("/things/", await app.listen({ host: "127.0.0.1", port: 0 })));
  await response.text();
  const [, seconds] = /^timeout=(\d+)$/.exec(response.headers.get("keep-alive") ?? "") ?? [];
  assert.ok(Number(seconds) > 60, `${seconds} s`);
});

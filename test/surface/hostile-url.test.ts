import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { share } from "@clew/stand-in/testing/share";
import type { RawRequest } from "../support/raw-request.ts";
import { type SignedIn, signIn } from "../support/session.ts";
import {
  hostileHeaders,
  invalidIds,
  invalidQueryValues,
  malformedEncodings,
  similarIds,
  undeclaredFields,
} from "./hostile-values.ts";
import { bearer, withJson } from "./surface.ts";
import { fieldsOf, isFarewell, labelOf, openRange, pointer, type Range, type Target } from "./targets.ts";

let range: Range;
before(async () => {
  range = await openRange();
});
after(() => range.surface.close());

/** Runs `work` with routes that declare their query, and checks that nothing is stored. Each `what` draws others. */
async function forEachQuery(what: string, work: (target: Target) => Promise<void>): Promise<void> {
  const targets = range.targets.filter(({ query }) => query !== null);
  assert.ok(targets.length >= 30, `${targets.length} routes declare their query`);
  await range.storesNothing(async () => {
    for (const target of share(`${what}: routes`, targets, 30)) await work(target);
  });
}

/** The target's valid request with raw text added to its query, optionally without one of its own parameters. */
function withQuery(target: Target, added: string, left?: string): RawRequest {
  const { method, path, headers, fields, document } = target;
  const kept = Object.entries(fields).filter(([name]) => name !== left);
  const query = [...kept.map(([name, value]) => `${name}=${encodeURIComponent(value)}`), added].join("&");
  const request = { method, path: `${path}?${query}`, headers };
  if (document === null) return request;
  const typed = { ...headers, "content-type": "application/json" };
  return { ...request, headers: typed, body: JSON.stringify(document) };
}

test("ERR-2: an unknown query parameter is reported by its name", async () => {
  const spellings = ["q[]=1", "q[a]=1", "=1", "bogus", Array(1_000).fill("a=1").join("&")];
  await forEachQuery("unknown parameters", async (target) => {
    for (const name of undeclaredFields.filter((each) => each !== "")) {
      const at = `?${pointer(name).slice(1)}`;
      await range.expectRefused(withQuery(target, `${encodeURIComponent(name)}=1`), at, [400]);
    }
    for (const added of spellings) await range.expectRefused(withQuery(target, added), undefined, [400]);
  });
});

test("ERR-1: a duplicate query parameter is reported by its name", async () => {
  await forEachQuery("duplicate parameters", async (target) => {
    for (const [name, { type }] of fieldsOf(target.query)) {
      const value = encodeURIComponent(target.fields[name] ?? "1");
      const twice = withQuery(target, `${name}=${value}&${name}=${value}`, name);
      // A list is given by repeating it.
      if (type !== "array") await range.expectRefused(twice, `?${name}`, [400]);
      await range.expectRefused(withQuery(target, `${name}[]=${value}`, name), undefined, [400]);
    }
  });
});

/** Parameters that hold a person's input: any text is valid. */
const freeText = new Set(["q", "also", "page"]);

test("ERR-1: an invalid query value is reported by its name", async () => {
  await forEachQuery("invalid values", async (target) => {
    for (const [name, schema] of fieldsOf(target.query)) {
      // Any text may be a heading: one that a page lacks is not found.
      if (name === "heading") continue;
      const strange = freeText.has(name) ? ["", "%20", "%09%0a"] : ["", "%20", "%00", "a%00b", "__proto__"];
      for (const value of [...invalidQueryValues(schema), ...strange, "x".repeat(5_000)]) {
        // No ids are an empty list, but there are no edges among none.
        if (value === "" && name === "ids" && !target.pattern.includes("/edges/")) continue;
        await range.expectRefused(withQuery(target, `${name}=${value}`, name), `?${name}`, [400, 403]);
      }
      await range.expectRefused(withQuery(target, `${name}=${"x".repeat(10_000)}`, name), undefined, [414]);
    }
  });
});

test("ERR-1: a query that is not UTF-8 is reported by its name", async () => {
  await forEachQuery("queries that are not UTF-8", async (target) => {
    for (const broken of malformedEncodings) {
      await range.expectRefused(withQuery(target, `${broken}=1`), undefined, [400]);
      for (const [name] of fieldsOf(target.query)) {
        await range.expectRefused(withQuery(target, `${name}=a${broken}`, name), `?${name}`, [400]);
      }
    }
  });
});

/** The id of a session, from its access token (SESS-1). */
function sessionIdOf({ access }: SignedIn): string {
  const [, claims = ""] = access.split(".");
  return JSON.parse(Buffer.from(claims, "base64url").toString()).sid;
}

/** An existing id of the caller for a path: of a token, session, workspace or node. */
function existingId(pattern: string): string {
  if (pattern.includes("/nodes/")) return range.nodeId;
  if (pattern.includes("/sessions/")) return sessionIdOf(range.reader);
  return pattern.includes("/workspaces/") ? range.reader.workspace.id : String(range.tokenId);
}

test("GRAPH-10: a text in a path that is not a valid id names nothing", async () => {
  // The dashboard asks the API for what its address names.
  const targets = range.targets.filter(
    ({ pattern }) => pattern.includes("/:") && !pattern.startsWith("/dashboard/"),
  );
  assert.ok(targets.length >= 13, `${targets.length} routes have an id in their path`);
  await range.storesNothing(async () => {
    for (const { method, pattern, headers, document } of share("hostile ids: routes", targets, 12)) {
      const json = document === null ? {} : withJson(document);
      const withId = (id: string) => ({
        ...{ method, path: pattern.replace(/:[^/]+/, id), ...json },
        headers: { ...json.headers, ...headers },
      });
      const existing = existingId(pattern);
      for (const id of [...invalidIds, ...similarIds(existing)]) {
        await range.expectRefused(withId(id), undefined, [404]);
      }
      for (const id of malformedEncodings) await range.expectRefused(withId(id), undefined, [400]);
      await range.expectRefused(withId("x".repeat(10_000)), undefined, [414]);
    }
  });
});

test("ERR-4: no header makes a route fail or do something else", async () => {
  await range.storesNothing(async () => {
    const targets = range.targets.filter(({ method }) => method === "GET");
    for (const { method, path, headers } of share("hostile headers: routes", targets, 30)) {
      for (const strange of hostileHeaders)
        await range.send({ method, path, headers: { ...headers, ...strange } });
    }
  });
});

test("SIGN-4: the sign-in's redirects accept any query and create no session", async () => {
  const redirecting = /^\/api\/integrations\/auth\/[^/]+(?:\/callback)?$/;
  const redirects = range.targets.filter(({ pattern }) => redirecting.test(pattern));
  assert.equal(redirects.length, 6);
  const values = [
    ...malformedEncodings,
    "",
    "null",
    "__proto__",
    "%00",
    "%0d%0aset-cookie:%20a=b",
    "x".repeat(3_000),
  ];
  const queries = values.flatMap((value) => [
    `code=${value}&state=${value}`,
    `error=${value}&state=a&state=b`,
  ]);
  await range.storesNothing(async () => {
    for (const { method, path } of redirects) {
      for (const query of queries) {
        const answer = await range.send({ method, path: `${path}?${query}`, headers: { cookie: query } });
        const place = new URL(String(answer.headers.location));
        const wanted = path.endsWith("/callback") ? "/dashboard" : "/demo/v1/oauth/authorize";
        assert.equal(`${answer.status} ${place.pathname}`, `302 ${wanted}`, query);
        if (path.endsWith("/callback")) assert.match(place.hash, /^#error=\w+&error_description=/);
      }
    }
  });
});

test("ERR-2: every other route below /api declares its query", () => {
  const silent = range.targets.filter(({ pattern, query }) => pattern.startsWith("/api/") && query === null);
  for (const { pattern } of silent) {
    assert.match(pattern, /^\/api\/(?:v1\/openapi\.json|integrations\/auth\/[^/]+(?:\/callback)?)$/);
  }
});

function asSession(request: RawRequest, document: Target["document"], session: SignedIn): RawRequest {
  const body = JSON.stringify({ ...document, refresh: session.refresh });
  return { ...request, headers: { ...request.headers, ...bearer(session.access) }, body };
}

test("the requests that the tests make invalid are valid themselves", async () => {
  // No token, session or workspace has this id, so revoking and disconnecting affect nothing. Webhooks are signed, and MCP
  // clients send Accept.
  const targets = range.targets.filter(
    ({ query, pattern }) => query && !/\/(?:tokens|sessions|workspaces)\/:|\/(?:webhook|mcp)$/.test(pattern),
  );
  for (const target of targets) {
    const { document } = target;
    const request = withQuery(target, "");
    // Routes that take a refresh token may end its session, so it must not be the one that the other tests use.
    const session = document && "refresh" in document ? await signIn(range.surface.clew.url) : null;
    if (isFarewell(target)) continue;
    const answer = await range.send(session ? asSession(request, document, session) : request);
    assert.ok(answer.status < 300, labelOf(request, answer));
  }
});

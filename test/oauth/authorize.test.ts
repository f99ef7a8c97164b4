import assert from "node:assert/strict";
import { test } from "node:test";
import { commandLineClient } from "@clew/contract";
import { arrive, authorize, builtIn, type Changes, consentPage, redirectUri, validRequest } from "./app.ts";
import { sharedClew, somebody } from "./shared.ts";

/** A client whose redirect URIs no document extends. */
const commandLine = commandLineClient.id;

const claude = "https://claude.ai/oauth/mcp-oauth-client-metadata";

/** Requests whose fault is shown, and words of the page. */
const shown: readonly (readonly [string, Changes, RegExp])[] = [
  ["no client", { client_id: undefined }, /lacks client_id/],
  ["an empty client", { client_id: "" }, /lacks client_id/],
  ["two clients", { client_id: [builtIn, builtIn] }, /client_id more than once/],
  ["an unknown client", { client_id: "nobody" }, /not known here/],
  ["a made-up registration", { client_id: `app_${"A".repeat(80)}` }, /not known here/],
  [
    "a document over http",
    { client_id: "http://claude.ai/oauth/mcp-oauth-client-metadata" },
    /not known here/,
  ],
  ["a document at the root", { client_id: "https://app.example/" }, /not the address of a document/],
  ["a document without a path", { client_id: "https://app.example" }, /not the address of a document/],
  ["a document with a user", { client_id: "https://a@app.example/c.json" }, /not the address of a document/],
  [
    "a document with a fragment",
    { client_id: "https://app.example/c.json#x" },
    /not the address of a document/,
  ],
  ["a document on another port", { client_id: "https://app.example:8443/c.json" }, /not the address/],
  ["a document above its folder", { client_id: "https://app.example/a/../c.json" }, /not the address/],
  ["a document at an address", { client_id: "https://127.0.0.1/c.json" }, /not the address of a document/],
  ["a document at a short address", { client_id: "https://2130706433/c.json" }, /not the address/],
  ["a document at an IPv6 address", { client_id: "https://[::1]/c.json" }, /not the address of a document/],
  ["a document of this machine", { client_id: "https://localhost/c.json" }, /not the address of a document/],
  ["no redirect URI", { redirect_uri: undefined }, /lacks redirect_uri/],
  ["two redirect URIs", { redirect_uri: [redirectUri, redirectUri] }, /redirect_uri more than once/],
  [
    "another path",
    { client_id: commandLine, redirect_uri: "http://127.0.0.1:49152/other" },
    /has not registered/,
  ],
  ["a longer path", { client_id: commandLine, redirect_uri: `${redirectUri}/more` }, /has not registered/],
  ["a query", { client_id: commandLine, redirect_uri: `${redirectUri}?next=x` }, /has not registered/],
  ["a fragment", { redirect_uri: `${redirectUri}#x` }, /no program can register/],
  ["another host", { redirect_uri: "http://127.0.0.1.evil.example/callback" }, /no program can register/],
  [
    "a user that looks like a host",
    { redirect_uri: "http://127.0.0.1@evil.example/callback" },
    /no program can register/,
  ],
  [
    "another loopback address",
    { client_id: commandLine, redirect_uri: "http://127.0.0.2/callback" },
    /no program can register/,
  ],
  [
    "https on loopback",
    { client_id: commandLine, redirect_uri: "https://127.0.0.1/callback" },
    /has not registered/,
  ],
  [
    "capitals",
    { client_id: commandLine, redirect_uri: "http://LOCALHOST/callback" },
    /no program can register/,
  ],
  ["a script", { redirect_uri: "javascript:alert(1)" }, /no program can register/],
  ["data", { redirect_uri: "data:text/html,x" }, /no program can register/],
  ["a file", { redirect_uri: "file:///etc/passwd" }, /no program can register/],
  [
    "another port of a host",
    { client_id: claude, redirect_uri: "https://claude.ai:444/api/mcp/auth_callback" },
    /x/,
  ],
  ["a subdomain", { client_id: claude, redirect_uri: "https://x.claude.ai/api/mcp/auth_callback" }, /x/],
  ["a slash too many", { client_id: claude, redirect_uri: "https://claude.ai/api/mcp/auth_callback/" }, /x/],
];

for (const [name, changes, words] of shown) {
  test(`APP-4: a fault of the client or its redirect URI is shown and redirects nowhere: ${name}`, async () => {
    const { url, fetched } = await sharedClew();
    const before = fetched.length;
    const answer = await authorize(url, changes);
    // A vendor's client with an address that Clew does not carry: its document decides, for a person who is signed in.
    if (changes.client_id === claude) {
      const page = await consentPage(await somebody(), answer).read();
      assert.deepEqual([page.status, page.body.code], [409, "conflict"]);
      assert.equal(page.body.redirect_to, undefined);
      return;
    }
    assert.deepEqual([answer.status, answer.location, answer.cookie], [400, null, ""]);
    assert.match(answer.text, words);
    assert.match(answer.headers.get("content-type") ?? "", /^text\/html/);
    const policy = answer.headers.get("content-security-policy") ?? "";
    assert.match(policy, /^default-src 'none'; style-src 'self'; img-src 'self';/);
    assert.doesNotMatch(policy + answer.text, /<script|script-src|javascript:/);
    assert.doesNotMatch(answer.text, /<(?:a|form|meta http-equiv) /);
    assert.equal(fetched.length, before, "nothing was fetched for a person who is not signed in");
  });
}

/** Requests whose fault the client learns, and the error. */
const redirected: readonly (readonly [string, Changes, string])[] = [
  ["no response type", { response_type: undefined }, "invalid_request"],
  ["tokens in the fragment", { response_type: "token" }, "unsupported_response_type"],
  ["a code and a token", { response_type: "code token" }, "unsupported_response_type"],
  ["two response types", { response_type: ["code", "code"] }, "invalid_request"],
  ["a fragment", { response_mode: "fragment" }, "invalid_request"],
  ["a form", { response_mode: "form_post" }, "invalid_request"],
  ["no challenge", { code_challenge: undefined }, "invalid_request"],
  ["no method", { code_challenge_method: undefined }, "invalid_request"],
  ["the method plain", { code_challenge_method: "plain" }, "invalid_request"],
  ["a method in small letters", { code_challenge_method: "s256" }, "invalid_request"],
  ["a short challenge", { code_challenge: "a".repeat(42) }, "invalid_request"],
  ["a long challenge", { code_challenge: "a".repeat(44) }, "invalid_request"],
  ["a padded challenge", { code_challenge: `${"a".repeat(43)}=` }, "invalid_request"],
  ["two challenges", { code_challenge: ["a".repeat(43), "b".repeat(43)] }, "invalid_request"],
  ["unknown scopes alone", { scope: "graph:write admin" }, "invalid_scope"],
  ["two lists of scopes", { scope: ["graph:read", "graph:search"] }, "invalid_request"],
  ["a resource elsewhere", { resource: "https://mcp.example/mcp" }, "invalid_target"],
  ["a resource of another kind", { resource: "urn:clew" }, "invalid_target"],
  ["no address as a resource", { resource: "mcp" }, "invalid_target"],
  ["a page of Clew as a resource", { resource: "{url}dashboard" }, "invalid_target"],
  ["all of V1", { resource: "{url}api/v1" }, "invalid_target"],
  ["a path below the transport", { resource: "{url}api/v1/mcp/x" }, "invalid_target"],
  ["a fragment in the resource", { resource: "{url}api/v1/mcp#x" }, "invalid_target"],
  ["another program of this machine", { resource: "http://localhost:1/api/v1/mcp" }, "invalid_target"],
  ["two resources", { resource: ["{url}api/v1/mcp", "{url}api/v1/mcp"] }, "invalid_request"],
];

/** Puts Clew's URL in the place of `{url}`. */
const at = (url: URL, changes: Changes): Changes =>
  Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [
      name,
      typeof value === "string"
        ? value.replace("{url}", url.href)
        : value?.map((each) => each.replace("{url}", url.href)),
    ]),
  );

for (const [name, changes, error] of redirected) {
  test(`APP-4: other faults go to the client, with its state and the issuer: ${name}`, async () => {
    const { url } = await sharedClew();
    const { status, location, cookie } = await authorize(url, at(url, changes));
    assert.equal(status, 302);
    assert.equal(`${location?.origin}${location?.pathname}`, redirectUri);
    const { error_description, ...told } = Object.fromEntries(location?.searchParams ?? []);
    assert.deepEqual(told, { error, state: "a state/+", iss: url.href.replace(/\/$/, "") });
    assert.ok(error_description);
    assert.equal(cookie, "");
  });
}

test("APP-4: two states are refused, and neither is sent back", async () => {
  const { url } = await sharedClew();
  const { location } = await authorize(url, { state: ["one", "two"] });
  assert.equal(location?.searchParams.get("error"), "invalid_request");
  assert.equal(location?.searchParams.has("state"), false);
});

/** Requests that lead to the person's decision. */
const accepted: readonly (readonly [string, Changes, object])[] = [
  ["as it should be", {}, {}],
  ["another port of a loopback address", { redirect_uri: "http://127.0.0.1:1/callback" }, {}],
  ["a loopback address without a port", { redirect_uri: "http://localhost/callback" }, {}],
  ["no state", { state: undefined }, {}],
  ["no resource", { resource: undefined }, {}],
  ["a resource with a query", { resource: "{url}api/v1/mcp?tools=search,fetch" }, {}],
  ["a resource with a final slash", { resource: "{url}api/v1/mcp/" }, {}],
  ["a resource under another loopback name", { resource: "http://127.0.0.1:{port}/api/v1/mcp" }, {}],
  ["no scopes", { scope: undefined }, { scopes: ["graph:search", "graph:read", "graph:neighbors"] }],
  ["some scopes", { scope: "graph:read graph:search" }, { scopes: ["graph:search", "graph:read"] }],
  ["scopes of other servers too", { scope: "openid graph:read offline_access" }, { scopes: ["graph:read"] }],
  ["unknown parameters, even twice", { prompt: ["none", "login"], nonce: "x" }, {}],
  ["the response mode query", { response_mode: "query" }, {}],
];

for (const [name, changes, expected] of accepted) {
  test(`APP-4: a valid request leads to the person's decision: ${name}`, async () => {
    const { url } = await sharedClew();
    const given = at(url, changes);
    if (typeof given.resource === "string")
      Object.assign(given, { resource: given.resource.replace("{port}", url.port) });
    const answer = await authorize(url, given);
    assert.equal(answer.status, 302, answer.text);
    assert.equal(`${answer.location?.origin}${answer.location?.pathname}`, `${url.href}dashboard/connect`);
    assert.equal(answer.headers.get("cache-control"), "no-store");
    assert.equal(answer.headers.get("referrer-policy"), "no-referrer");
    const { status, body } = await consentPage(await somebody(), answer).read();
    assert.equal(status, 200);
    assert.deepEqual({ ...body, ...expected }, body);
    assert.deepEqual([body.redirect_to, body.resource], [null, `${url.href}api/v1/mcp`]);
  });
}

test("APP-4: the person sees the client, where it is, what it asks for, and their workspaces", async () => {
  const { url } = await sharedClew();
  const person = await somebody();
  const { body } = await consentPage(person, await authorize(url)).read();
  assert.deepEqual(body.client, { name: "Claude Code", kind: "built_in", host: "claude.ai" });
  assert.deepEqual(body.redirect, { host: "127.0.0.1", is_loopback: true, uri: redirectUri });
  assert.deepEqual(
    body.workspaces.map(({ id }) => id),
    person.workspaceIds,
  );
  assert.deepEqual([body.limit_reached, body.usable_tokens, body.earlier_token], [false, [], null]);
});

test("APP-4: a request is answered in the browser that made it, once, and within ten minutes", async () => {
  const clew = await sharedClew();
  const person = await arrive(clew.url);
  const [one, other] = [await authorize(clew.url), await authorize(clew.url)];
  for (const cookie of ["", other.cookie, one.cookie.replace(/=.*/, "=guess")]) {
    const page = consentPage(person, { ...one, cookie });
    assert.equal((await page.read()).status, 404);
    assert.equal((await page.approve()).status, 404);
    assert.equal((await page.deny()).status, 404);
  }
  const page = consentPage(person, one);
  assert.equal((await page.approve()).status, 200);
  for (const again of [await page.read(), await page.approve(), await page.deny()])
    assert.equal(again.status, 404);
  clew.advance(10 * 60_000);
  assert.equal((await consentPage(person, other).approve()).status, 404);
});

test("APP-4: only a session answers, from a page of Clew's own origin", async () => {
  const { url } = await sharedClew();
  const person = await arrive(url);
  const page = consentPage(person, await authorize(url));
  assert.equal((await page.read({ authorization: "" })).status, 401);
  assert.equal((await page.approve({}, { authorization: "" })).status, 401);
  for (const origin of ["https://evil.example", "null", "http://localhost:1"]) {
    const { status, body } = await page.approve({}, { origin });
    assert.deepEqual([status, body.code], [403, "origin_not_allowed"]);
  }
  assert.equal((await page.approve()).status, 200);
});

/** Choices that are refused, and the paths of their errors. */
const refusedChoices: readonly (readonly [string, Record<string, unknown>, readonly string[]])[] = [
  ["no scope", { scopes: [] }, ["/scopes"]],
  ["a scope that was not asked for", { scopes: ["graph:search", "graph:neighbors"] }, ["/scopes/1"]],
  ["an unknown scope", { scopes: ["admin"] }, ["/scopes/0"]],
  ["no workspace", { workspace_ids: [] }, ["/workspace_ids"]],
  ["a foreign workspace", { workspace_ids: ["11111111-1111-4111-8111-111111111111"] }, ["/workspace_ids/0"]],
  ["no day", { expires_in_days: 0 }, ["/expires_in_days"]],
  ["more than a year", { expires_in_days: 366 }, ["/expires_in_days"]],
  ["half a day", { expires_in_days: 0.5 }, ["/expires_in_days"]],
  ["days as a text", { expires_in_days: "30" }, ["/expires_in_days"]],
  ["never", { expires_in_days: null }, ["/expires_in_days"]],
  ["an unknown field", { resource: "x" }, ["/resource"]],
];

for (const [name, choice, paths] of refusedChoices) {
  test(`APP-4: no choice is wider than what was asked for: ${name}`, async () => {
    const { url } = await sharedClew();
    const page = consentPage(await somebody(), await authorize(url, { scope: "graph:search" }));
    const { status, body } = await page.approve({ scopes: ["graph:search"], ...choice });
    assert.deepEqual([status, body.code], [400, "invalid_request"]);
    assert.deepEqual([...new Set((body.errors as { path: string }[]).map(({ path }) => path))], paths);
    assert.equal((await page.read()).status, 200, "the request still waits");
  });
}

test("APP-4: a denial sends the program away, with its state and the issuer", async () => {
  const { url } = await sharedClew();
  const { body } = await consentPage(await somebody(), await authorize(url)).deny();
  const told = Object.fromEntries(new URL(body.redirect_to).searchParams);
  assert.deepEqual(told, {
    error: "access_denied",
    error_description: told.error_description,
    state: validRequest(url).state,
    iss: url.href.replace(/\/$/, ""),
  });
});

test("APP-4: of many answers at once, one counts", async () => {
  const { url } = await sharedClew();
  const person = await arrive(url);
  for (const answer of ["approve", "deny"] as const) {
    const page = consentPage(person, await authorize(url));
    const answers = await Promise.all(Array.from({ length: 6 }, () => page[answer]()));
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, 404, 404, 404, 404, 404], answer);
  }
});

test("APP-4: a sign-in begun for a request leads back to it, and so does its failure", async () => {
  const { url } = await sharedClew();
  const request = (await authorize(url)).location?.searchParams.get("request") ?? "";
  const begin = (query: string) =>
    fetch(new URL(`api/integrations/auth/provider/${query}`, url), { redirect: "manual" });
  const started = await begin(`?request=${request}`);
  const state = new URL(started.headers.get("location") ?? "").searchParams.get("state") ?? "";
  assert.match(state, new RegExp(`^[\\w-]{43}\\.${request}$`));
  const [cookie = ""] = started.headers.getSetCookie();
  const back = async (query: Record<string, string>) => {
    const address = new URL("api/integrations/auth/provider/callback", url);
    address.search = new URLSearchParams({ state, ...query }).toString();
    const headers = { cookie: cookie.split(";")[0] ?? "" };
    return new URL((await fetch(address, { redirect: "manual", headers })).headers.get("location") ?? "");
  };
  const failed = await back({ error: "access_denied" });
  assert.equal(failed.href.split("#")[0], `${url.href}dashboard/connect?request=${request}`);
  assert.match(failed.hash, /^#error=access_denied/);
  // Whatever is not the id of a request leads to the dashboard.
  for (const query of ["?request=https://evil.example", `?request=${request}x`, "?request="]) {
    const other = await begin(query);
    assert.match(new URL(other.headers.get("location") ?? "").searchParams.get("state") ?? "", /^[\w-]{43}$/);
  }
});

test("APP-4: on another loopback name, the browser goes to that of PUBLIC_URL first, whose cookies it keeps", async () => {
  const { url } = await sharedClew();
  const address = new URL("oauth/authorize", url);
  address.search = new URLSearchParams(validRequest(url)).toString();
  address.hostname = "127.0.0.1";
  const response = await fetch(address, { redirect: "manual" });
  assert.equal(response.status, 302);
  assert.deepEqual(response.headers.getSetCookie(), []);
  address.hostname = url.hostname;
  assert.equal(response.headers.get("location"), address.href);
});

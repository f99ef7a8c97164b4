import assert from "node:assert/strict";
import { test } from "node:test";
import { commandLineClient, type OAuthError, type RegisteredClient } from "@clew/contract";
import { startRunning } from "../support/running-clew.ts";
import { authorize, consentPage, post, redirectUri, validExchange } from "./app.ts";
import { sharedClew, somebody } from "./shared.ts";

async function register(url: URL, metadata: unknown, contentType = "application/json") {
  const response = await fetch(new URL("oauth/register", url), {
    method: "POST",
    headers: { "content-type": contentType },
    body: typeof metadata === "string" ? metadata : JSON.stringify(metadata),
  });
  const body = (await response.json()) as RegisteredClient & OAuthError;
  return { status: response.status, headers: response.headers, body };
}

const valid = { client_name: "A client", redirect_uris: [redirectUri] };

/** Registrations that are refused: status and error. */
const refused: readonly (readonly [string, unknown, number, string])[] = [
  ["no metadata", "", 400, "invalid_request"],
  ["no JSON", "{", 400, "invalid_request"],
  ["a list", [], 400, "invalid_client_metadata"],
  ["null", "null", 400, "invalid_client_metadata"],
  ["a doubled field", '{"redirect_uris":["https://a.example/"],"redirect_uris":[]}', 400, "invalid_request"],
  ["no redirect URIs", {}, 400, "invalid_redirect_uri"],
  ["an empty list", { redirect_uris: [] }, 400, "invalid_redirect_uri"],
  ["one text", { redirect_uris: redirectUri }, 400, "invalid_redirect_uri"],
  ["a number", { redirect_uris: [1] }, 400, "invalid_redirect_uri"],
  [
    "six",
    { redirect_uris: Array.from({ length: 6 }, (_, i) => `https://a.example/${i}`) },
    400,
    "invalid_redirect_uri",
  ],
  ["http elsewhere", { redirect_uris: ["http://a.example/callback"] }, 400, "invalid_redirect_uri"],
  ["a script", { redirect_uris: ["javascript:alert(1)"] }, 400, "invalid_redirect_uri"],
  ["a script in capitals", { redirect_uris: ["JavaScript:alert(1)"] }, 400, "invalid_redirect_uri"],
  ["data", { redirect_uris: ["data:text/html,x"] }, 400, "invalid_redirect_uri"],
  ["a file", { redirect_uris: ["file:///tmp/x"] }, 400, "invalid_redirect_uri"],
  ["a blob", { redirect_uris: ["blob:https://a.example/x"] }, 400, "invalid_redirect_uri"],
  ["a fragment", { redirect_uris: ["https://a.example/#x"] }, 400, "invalid_redirect_uri"],
  ["a user", { redirect_uris: ["https://a@a.example/"] }, 400, "invalid_redirect_uri"],
  ["a space", { redirect_uris: ["https://a.example/ x"] }, 400, "invalid_redirect_uri"],
  ["a line", { redirect_uris: ["https://a.example/\nx"] }, 400, "invalid_redirect_uri"],
  ["a backslash", { redirect_uris: ["https://a.example\\@b.example/"] }, 400, "invalid_redirect_uri"],
  ["a relative address", { redirect_uris: ["/callback"] }, 400, "invalid_redirect_uri"],
  ["another loopback address", { redirect_uris: ["http://127.0.0.2/"] }, 400, "invalid_redirect_uri"],
  ["a name that is a number", { ...valid, client_name: 1 }, 400, "invalid_client_metadata"],
  ["another grant alone", { ...valid, grant_types: ["client_credentials"] }, 400, "invalid_client_metadata"],
  [
    "grants that are no list",
    { ...valid, grant_types: "authorization_code" },
    400,
    "invalid_client_metadata",
  ],
  ["tokens alone", { ...valid, response_types: ["token"] }, 400, "invalid_client_metadata"],
  [
    "more than 2 kB",
    { redirect_uris: [`https://a.example/${"x".repeat(2048)}`] },
    400,
    "invalid_client_metadata",
  ],
];

for (const [name, metadata, status, error] of refused) {
  test(`APP-3: a faulty registration is refused as RFC 7591 has it: ${name}`, async () => {
    const { url } = await sharedClew();
    const answer = await register(url, metadata);
    assert.deepEqual([answer.status, answer.body.error], [status, error], JSON.stringify(answer.body));
    assert.deepEqual(Object.keys(answer.body), ["error", "error_description"]);
  });
}

test("APP-3: a registration is answered with 201, without secrets, empty fields and promises", async () => {
  const { url } = await sharedClew();
  const asked = {
    ...valid,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "client_secret_basic",
    scope: "openid",
    logo_uri: null,
    application_type: "native",
  };
  const { status, headers, body } = await register(url, asked);
  assert.equal(status, 201);
  assert.equal(headers.get("cache-control"), "no-store");
  const { client_id, client_id_issued_at, ...others } = body;
  assert.match(client_id, /^app_[\w-]+$/);
  assert.ok(Number.isInteger(client_id_issued_at));
  assert.deepEqual(others, {
    ...valid,
    grant_types: ["authorization_code"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  });
  const unnamed = await register(url, { redirect_uris: ["cursor://anysphere.cursor-mcp/oauth/callback"] });
  assert.equal("client_name" in unnamed.body, false);
});

test("APP-3: a registered client connects, and its altered id does not", async () => {
  const { url } = await sharedClew();
  const person = await somebody();
  const { client_id: id } = (await register(url, { ...valid, client_name: "Evil\u202etxt\n  name" })).body;
  const page = consentPage(person, await authorize(url, { client_id: id }));
  const { body } = await page.read();
  assert.deepEqual(body.client, { name: "Evil<U+202E>txt name", kind: "registered", host: null });
  const { redirect_to } = (await page.approve()).body;
  const code = new URL(redirect_to).searchParams.get("code") ?? "";
  const { status, body: token } = await post(url, "token", { ...validExchange(url, code), client_id: id });
  assert.equal(status, 200);
  assert.equal((await post(url, "revoke", { token: token.access_token, client_id: id })).status, 200);
  for (const altered of [`${id}A`, id.slice(0, -1), `${id}=`, id.replace("app_", ""), id.toUpperCase()])
    assert.equal((await authorize(url, { client_id: altered })).status, 400, altered);
});

test("APP-4: a stranger's program gets no browser sent to its website before a person decides", async () => {
  const { url } = await sharedClew();
  const site = "https://reader.example/callback";
  const { client_id } = (await register(url, { client_name: "Reader", redirect_uris: [site] })).body;
  const answer = await authorize(url, { client_id, redirect_uri: site, response_type: "token" });
  assert.equal(`${answer.location?.origin}${answer.location?.pathname}`, `${url.href}dashboard/connect`);
  const page = consentPage(await somebody(), answer);
  const { redirect_to, redirect } = (await page.read()).body;
  assert.equal(redirect.host, "reader.example");
  assert.ok(redirect_to?.startsWith(`${site}?error=unsupported_response_type`), redirect_to ?? "null");
  assert.equal((await page.approve()).status, 409);
});

test("APP-3: a scheme of the program's own may be registered, and is shown as it is", async () => {
  const { url } = await sharedClew();
  const own = "cursor://anysphere.cursor-mcp/oauth/callback";
  const { client_id } = (await register(url, { client_name: "Cursor", redirect_uris: [own] })).body;
  const page = consentPage(await somebody(), await authorize(url, { client_id, redirect_uri: own }));
  assert.deepEqual((await page.read()).body.redirect, { host: "cursor:", is_loopback: false, uri: own });
  const { redirect_to } = (await page.deny()).body;
  assert.ok(redirect_to.startsWith(`${own}?error=access_denied`));
});

test("APP-4: the redirect URI keeps its own query", async () => {
  const { url } = await sharedClew();
  const own = "https://app.example/cb?tenant=a%20b";
  const { client_id } = (await register(url, { redirect_uris: [own] })).body;
  const { body } = await consentPage(
    await somebody(),
    await authorize(url, { client_id, redirect_uri: own }),
  ).deny();
  assert.ok(body.redirect_to.startsWith(`${own}&error=access_denied`));
});

const document = (id: string) => ({
  client_id: id,
  client_name: "An app",
  redirect_uris: ["https://app.example/callback", "http://127.0.0.1/callback"],
  token_endpoint_auth_method: "none",
});

/** Documents that identify no client. */
const unreadable: readonly (readonly [string, object | string | null, RegExp])[] = [
  ["missing", null, /answered with 404/],
  ["a page", "<!doctype html>", /not JSON/],
  ["a list", [], /names another program/],
  ["of another client", document("https://app.example/other.json"), /names another program/],
  ["without redirect URIs", { client_id: "{id}" }, /lists no addresses/],
  [
    "with one text",
    { client_id: "{id}", redirect_uris: "https://app.example/callback" },
    /lists no addresses/,
  ],
  [
    "with a secret",
    { ...document("{id}"), token_endpoint_auth_method: "client_secret_basic" },
    /needs a secret/,
  ],
  ["of 5 kB and more", { ...document("{id}"), client_uri: "x".repeat(5 * 1024) }, /too large/],
];

for (const [index, [name, content, words]] of unreadable.entries()) {
  test(`APP-3: a document that cannot be used is shown to the person: ${name}`, async () => {
    const { url, documents, fetched } = await sharedClew();
    const id = `https://app.example/unreadable/${index}.json`;
    const text = typeof content === "object" && content !== null ? JSON.stringify(content) : content;
    documents.set(id, text?.replace("{id}", id) ?? null);
    const answer = await authorize(url, { client_id: id });
    assert.equal(answer.status, 302, "the person signs in first");
    assert.ok(!fetched.includes(id));
    const { status, body } = await consentPage(await somebody(), answer).read();
    assert.deepEqual([status, body.code], [409, "conflict"]);
    assert.match(body.detail ?? "", words);
    assert.ok(fetched.includes(id));
  });
}

test("APP-3: a document is read for a person who is signed in, and its copy serves after that", async () => {
  const { url, documents, fetched } = await sharedClew();
  const id = "https://app.example/oauth/client.json";
  documents.set(id, {
    ...document(id),
    token_endpoint_auth_method: "private_key_jwt",
    token_endpoint_auth_methods_supported: ["private_key_jwt", "none"],
  });
  const asked = { client_id: id, redirect_uri: "https://app.example/callback" };
  const read = async () => {
    const authorized = await authorize(url, asked);
    return consentPage(await somebody(), authorized).read();
  };
  const reads = () => fetched.filter((address) => address === id).length;
  const { body } = await read();
  assert.deepEqual(body.client, { name: "An app", kind: "document", host: "app.example" });
  const uri = asked.redirect_uri;
  assert.deepEqual(body.redirect, { host: "app.example", is_loopback: false, uri });
  assert.equal(reads(), 1);
  await read();
  assert.equal(reads(), 1, "the copy is used");
  // From the copy, a fault of the redirect URI is seen at once; other faults lead to the person, as those of any program.
  assert.equal((await authorize(url, { ...asked, redirect_uri: "https://app.example/other" })).status, 400);
  const faulty = await authorize(url, { ...asked, code_challenge: undefined });
  assert.equal(faulty.location?.host, url.host);
});

test("APP-4: a fault of a request whose document was not read yet shows on the person's page", async () => {
  const { url, documents } = await sharedClew();
  const id = "https://app.example/late.json";
  documents.set(id, document(id));
  const asked = {
    client_id: id,
    redirect_uri: "https://app.example/callback",
    code_challenge_method: "plain",
  };
  const page = consentPage(await somebody(), await authorize(url, asked));
  const { status, body } = await page.read();
  assert.equal(status, 200);
  const told = new URL(body.redirect_to ?? "");
  assert.deepEqual([told.host, told.searchParams.get("error")], ["app.example", "invalid_request"]);
  assert.equal((await page.approve()).status, 409);
});

test("APP-3: OAUTH_CLIENTS can name the hosts whose programs may connect", async (t) => {
  const clew = await startRunning({ env: { OAUTH_CLIENTS: "claude.ai, localhost" } });
  t.after(() => clew.stop());
  const { url } = clew;
  const registered = async (uri: string) => {
    const { client_id } = (await register(url, { redirect_uris: [uri] })).body;
    return { client_id, redirect_uri: uri };
  };
  const permitted = [
    { client_id: "https://claude.ai/oauth/claude-code-client-metadata" },
    { client_id: commandLineClient.id },
    { client_id: "https://claude.ai/another.json" },
    await registered("http://localhost:3118/callback"),
    await registered("https://claude.ai/api/mcp/auth_callback"),
  ];
  for (const changes of permitted)
    assert.equal((await authorize(url, changes)).status, 302, JSON.stringify(changes));
  const others = [
    { client_id: "https://chatgpt.com/oauth/codex/client.json" },
    { client_id: "https://app.example/client.json" },
    { client_id: "https://claude.ai.app.example/client.json" },
    await registered("https://app.example/callback"),
    await registered("http://127.0.0.1/callback"),
    await registered("cursor://callback"),
  ];
  for (const changes of others) {
    const answer = await authorize(url, changes);
    assert.equal(answer.status, 400, JSON.stringify(changes));
    assert.match(answer.text, /OAUTH_CLIENTS/);
  }
});

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { inspect } from "node:util";
import { type Grant, ProviderError, type ProviderErrorCode } from "@clew/provider";
import { timelessProvider } from "./testing/provider.ts";
import { sendError, sendJson, startProvider } from "./testing/provider-server.ts";

const redirectUri = "https://clew.example/api/integrations/auth/provider/callback";

const person = {
  object: "user",
  id: "5f1e2d3c-0000-4000-8000-000000000001",
  name: "A reader",
  avatar_url: "https://pictures.example/reader.png",
  type: "person",
  person: { email: "reader@example.org" },
};

const answer = {
  access_token: "ntn_access",
  token_type: "bearer",
  refresh_token: "nrt_refresh",
  bot_id: "b0000000-0000-4000-8000-000000000001",
  workspace_id: "a0000000-0000-4000-8000-000000000001",
  workspace_name: "Library",
  workspace_icon: "📚",
  duplicated_template_id: null,
  owner: { type: "user", user: person },
};

const exchange = (url: URL, signal = new AbortController().signal) =>
  timelessProvider(url).provider.exchange({ code: "the-code", redirectUri, signal });

/** The error of an exchange with a server; it must not quote the answer. */
async function failure(
  test: TestContext,
  behave: Parameters<typeof startProvider>[1],
  code: ProviderErrorCode,
): Promise<void> {
  const { url } = await startProvider(test, behave);
  await assert.rejects(exchange(url), (error) => {
    assert.ok(error instanceof ProviderError);
    assert.equal(error.code, code);
    assert.doesNotMatch(inspect(error, { depth: 9 }), /the-code|client-secret|ntn_|nrt_|secret message/i);
    return true;
  });
}

test("SIGN-1: the consent screen asks for a person's grant", () => {
  const { provider } = timelessProvider(new URL("https://api.example/base/"));
  const url = new URL(provider.authorizationUrl({ state: "a state&", redirectUri }));
  assert.equal(url.origin + url.pathname, "https://api.example/base/v1/oauth/authorize");
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    client_id: "client",
    response_type: "code",
    owner: "user",
    redirect_uri: redirectUri,
    state: "a state&",
  });
});

test("SIGN-3: the code is exchanged with HTTP Basic and a JSON body", async (t) => {
  const { url, requests } = await startProvider(t, (_, response) => sendJson(response, answer));
  assert.deepEqual(await exchange(url), {
    accessToken: "ntn_access",
    refreshToken: "nrt_refresh",
    id: answer.bot_id,
    workspace: { id: answer.workspace_id, name: "Library", icon: "📚" },
    person: {
      id: person.id,
      name: "A reader",
      email: "reader@example.org",
      avatarUrl: "https://pictures.example/reader.png",
    },
  } satisfies Grant);
  const [request] = requests;
  assert.equal(requests.length, 1);
  assert.equal(`${request?.method} ${request?.path}`, "POST /v1/oauth/token");
  assert.equal(request?.headers.authorization, `Basic ${btoa("client:client-secret")}`);
  assert.match(request?.headers["content-type"] ?? "", /^application\/json/);
  assert.deepEqual(JSON.parse(request?.body ?? ""), {
    grant_type: "authorization_code",
    code: "the-code",
    redirect_uri: redirectUri,
  });
});

test("SIGN-3: fields of a person that the provider does not disclose are null", async (t) => {
  const bare = { ...answer, refresh_token: null, workspace_name: null, workspace_icon: null };
  const owner = { type: "user", user: { object: "user", id: person.id } };
  const { url } = await startProvider(t, (_, response) => sendJson(response, { ...bare, owner }));
  const grant = await exchange(url);
  assert.equal(grant.refreshToken, null);
  assert.deepEqual(grant.workspace, { id: answer.workspace_id, name: null, icon: null });
  assert.deepEqual(grant.person, { id: person.id, name: null, email: null, avatarUrl: null });
});

test("ERR-6: icon and picture of a grant are an emoji or an https address", async (t) => {
  const odd = {
    ...answer,
    workspace_icon: "javascript:alert(1)",
    owner: { type: "user", user: { ...person, avatar_url: "http://pictures.example/reader.png" } },
  };
  const { url } = await startProvider(t, (_, response) => sendJson(response, odd));
  const grant = await exchange(url);
  assert.equal(grant.workspace.icon, null);
  assert.equal(grant.person.avatarUrl, null);
});

test("SIGN-4: a grant of a workspace's bot is refused and revoked", async (t) => {
  const bot = { ...answer, owner: { type: "workspace", workspace: true } };
  const { url, requests } = await startProvider(t, ({ path }, response) =>
    sendJson(response, path === "/v1/oauth/token" ? bot : {}),
  );
  await assert.rejects(exchange(url), { code: "unsupported_owner" });
  assert.deepEqual(
    requests.map(({ path }) => path),
    ["/v1/oauth/token", "/v1/oauth/revoke"],
  );
  assert.deepEqual(JSON.parse(requests[1]?.body ?? ""), { token: "ntn_access" });
});

test("SIGN-4: a rejected code is refused, in either of the provider's formats", async (t) => {
  const shape = { error: "invalid_grant", error_description: "A secret message about the-code" };
  await failure(t, (_, response) => sendJson(response, shape, 400), "refused");
  await failure(t, (_, response) => sendJson(response, { error: "invalid_client" }, 401), "refused");
  await failure(t, (_, response) => sendError(response, 400, "validation_error"), "refused");
  await failure(t, (_, response) => sendError(response, 401, "unauthorized"), "refused");
});

test("SIGN-4: a provider that is down is unavailable", async (t) => {
  await failure(t, (_, response) => sendError(response, 503, "service_unavailable"), "unavailable");
  await failure(t, (_, response) => void response.writeHead(502).end("<html>the-code</html>"), "unavailable");
  await failure(t, (_, response) => void response.destroy(), "unavailable");
  await failure(t, (_, response) => sendError(response, 429, "rate_limited"), "rate_limited");
  await assert.rejects(exchange(new URL("http://127.0.0.1:1")), { code: "unavailable" });
});

test("SIGN-4: an answer that is cut short is unavailable", async (t) => {
  const breakOff: Parameters<typeof startProvider>[1] = (_, response) => {
    response.writeHead(200, { "content-length": "1000" });
    response.write('{"access_token":"ntn_', () => response.destroy());
  };
  await failure(t, breakOff, "unavailable");
});

test("SIGN-4: an answer that Clew cannot interpret is malformed", async (t) => {
  await failure(t, (_, response) => void response.writeHead(200).end("<html>ntn_access</html>"), "malformed");
  await failure(t, (_, response) => void response.writeHead(200).end('{"access_token":"ntn_a'), "malformed");
  await failure(t, (_, response) => sendJson(response, null), "malformed");
  await failure(t, (_, response) => sendJson(response, { ...answer, workspace_id: 7 }), "malformed");
  await failure(t, (_, response) => sendJson(response, { ...answer, owner: null }), "malformed");
  await failure(t, (_, response) => sendJson(response, { ...answer, access_token: "" }), "malformed");
});

test("SIGN-4: a request to a slow provider ends when the signal is aborted", async (t) => {
  const { url } = await startProvider(t, () => {});
  const reason = new Error("too slow");
  const controller = new AbortController();
  const exchanging = exchange(url, controller.signal);
  controller.abort(reason);
  await assert.rejects(exchanging, reason);
});

test("SIGN-4: a request to a slow provider ends after the timeout", async (t) => {
  const { url } = await startProvider(t, () => {});
  const { provider } = timelessProvider(url, { timeoutMs: 20 });
  const signal = new AbortController().signal;
  await assert.rejects(provider.exchange({ code: "c", redirectUri, signal }), { code: "unavailable" });
});

const refresh = (url: URL, signal = new AbortController().signal) =>
  timelessProvider(url).provider.refresh("nrt_before", signal);

test("SYNC-8: a grant is renewed with HTTP Basic and a JSON body", async (t) => {
  const renewed = { ...answer, access_token: "ntn_new", refresh_token: "nrt_new" };
  const { url, requests } = await startProvider(t, (_, response) => sendJson(response, renewed));
  assert.deepEqual(await refresh(url), { accessToken: "ntn_new", refreshToken: "nrt_new" });
  const [request] = requests;
  assert.equal(`${request?.method} ${request?.path}`, "POST /v1/oauth/token");
  assert.equal(request?.headers.authorization, `Basic ${btoa("client:client-secret")}`);
  assert.deepEqual(JSON.parse(request?.body ?? ""), {
    grant_type: "refresh_token",
    refresh_token: "nrt_before",
  });
});

test("SYNC-8: without a new refresh token the old one is kept", async (t) => {
  const { url } = await startProvider(t, (_, response) => sendJson(response, { access_token: "ntn_new" }));
  assert.deepEqual(await refresh(url), { accessToken: "ntn_new", refreshToken: "nrt_before" });
});

for (const [what, behave, code] of [
  ["invalid_grant", (_, response) => sendJson(response, { error: "invalid_grant" }, 400), "unauthorized"],
  ["401", (_, response) => sendError(response, 401, "unauthorized"), "unauthorized"],
  ["400", (_, response) => sendError(response, 400, "validation_error"), "unauthorized"],
  // The operator has to fix this, not the owner of the grant.
  ["invalid_client", (_, response) => sendJson(response, { error: "invalid_client" }, 401), "refused"],
  ["503", (_, response) => sendError(response, 503, "service_unavailable"), "unavailable"],
  ["529", (_, response) => sendError(response, 529, "service_overload"), "rate_limited"],
  ["a connection that is cut", (_, response) => void response.destroy(), "unavailable"],
  ["an answer without a token", (_, response) => sendJson(response, {}), "malformed"],
  ["an answer that is cut", (_, response) => void response.end('{"access_token":"ntn_'), "malformed"],
] as [string, Parameters<typeof startProvider>[1], ProviderErrorCode][]) {
  test(`SYNC-8: ${what} in answer to a refresh token is ${code}, and nothing is sent twice`, async (t) => {
    const { url, requests } = await startProvider(t, behave);
    await assert.rejects(refresh(url), (error) => {
      assert.ok(error instanceof ProviderError);
      assert.equal(error.code, code);
      assert.doesNotMatch(inspect(error, { depth: 9 }), /nrt_before|client-secret|ntn_|secret message/i);
      return true;
    });
    assert.equal(requests.length, 1);
  });
}

test("GRAPH-15: a grant is revoked with HTTP Basic", async (t) => {
  const { url, requests } = await startProvider(t, (_, response) => sendJson(response, {}));
  await timelessProvider(url).provider.revoke("ntn_access", new AbortController().signal);
  assert.equal(requests[0]?.path, "/v1/oauth/revoke");
  assert.equal(requests[0]?.headers.authorization, `Basic ${btoa("client:client-secret")}`);
  assert.deepEqual(JSON.parse(requests[0]?.body ?? ""), { token: "ntn_access" });
});

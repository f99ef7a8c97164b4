import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { type TestContext, test } from "node:test";
import { listObject, pageObject, someId } from "./testing/api-objects.ts";
import { type Arrived, sendError, sendJson, startProvider } from "./testing/provider-server.ts";
import { createTokenProvider } from "./token-provider.ts";

const person = (id: string) => ({
  object: "user",
  id: `bot of ${id}`,
  type: "bot",
  bot: { owner: { type: "user", user: { object: "user", id } }, workspace_id: "w", workspace_name: null },
});

/** A Notion in which the token `ntn_<name>` belongs to that person and gives access to one page. */
async function startNotion(t: TestContext) {
  const server = await startProvider(t, ({ path, headers }: Arrived, response) => {
    const name = /^Bearer ntn_(\w+)$/.exec(headers.authorization ?? "")?.[1];
    if (name === undefined) return sendError(response, 401, "unauthorized");
    if (path === "/v1/users/me") return sendJson(response, person(name));
    return sendJson(response, listObject([pageObject(1)]));
  });
  const providerOf = (token: string) =>
    createTokenProvider({
      apiUrl: server.url,
      token,
      codeUrl: new URL("http://localhost/code"),
      fetch,
      clock: Date.now,
      random: randomBytes,
    });
  return { ...server, providerOf };
}

async function grantOf(provider: ReturnType<typeof createTokenProvider>): Promise<string> {
  const signal = new AbortController().signal;
  return (await provider.exchange({ code: "", redirectUri: "", signal })).accessToken;
}

async function search(provider: ReturnType<typeof createTokenProvider>, grant: string): Promise<number> {
  let found = 0;
  for await (const _ of provider.reader(grant).search()) found += 1;
  return found;
}

test("SIGN-12: a new token of the same owner continues the connection", async (t) => {
  const { providerOf } = await startNotion(t);
  const grant = await grantOf(providerOf("ntn_ann"));
  assert(!grant.includes("ntn_"), "the grant is not the token");
  assert.equal(await search(providerOf("ntn_ann"), grant), 1);
});

test("SIGN-12: another person's token cannot read a connection", async (t) => {
  const { providerOf, requests } = await startNotion(t);
  const grant = await grantOf(providerOf("ntn_ann"));
  const other = providerOf("ntn_ben");
  await assert.rejects(search(other, grant), { code: "unauthorized" });
  await assert.rejects(other.reader(grant).content(someId(1)), { code: "unauthorized" });
  assert.deepEqual(
    requests.map(({ path }) => path),
    ["/v1/users/me", "/v1/users/me"],
  );
});

test("SIGN-12: a token that was revoked at Notion makes the grant unauthorized", async (t) => {
  const { providerOf } = await startNotion(t);
  const grant = await grantOf(providerOf("ntn_ann"));
  await assert.rejects(search(providerOf("revoked"), grant), { code: "unauthorized" });
});

test("SIGN-12: grants of an OAuth app are read with their own tokens", async (t) => {
  const { providerOf, requests } = await startNotion(t);
  assert.equal(await search(providerOf("ntn_ann"), "ntn_ben"), 1);
  assert.deepEqual([...new Set(requests.map(({ headers }) => headers.authorization))], ["Bearer ntn_ben"]);
});

test("SIGN-12: nothing is revoked at Notion", async (t) => {
  const { providerOf, requests } = await startNotion(t);
  const provider = providerOf("ntn_ann");
  const grant = await grantOf(provider);
  await provider.revoke(grant, new AbortController().signal);
  assert.equal(requests.length, 1);
});

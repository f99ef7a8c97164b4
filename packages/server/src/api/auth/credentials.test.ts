import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { problem, setGate } from "./testing/gate-server.ts";

const invalidToken = /^Bearer realm="clew", error="invalid_token", error_description="[^"\\]+"$/;

/** A GET with exactly these header lines, including duplicates, which fetch would join. */
function rawGet(url: string, headers: string[]): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: ["Host", new URL(url).host, ...headers] }, async (answer) => {
      resolve({ status: answer.statusCode, body: Buffer.concat(await answer.toArray()).toString() });
    });
    sent.on("error", reject).end();
  });
}

test("ERR-3: without credentials the challenge names no error", async (t) => {
  const { call } = await setGate(t);
  for (const path of ["/api/v1/nodes/", "/api/provider-graph/search/", "/api/auth/me/"]) {
    const challenge = await problem(await call(path), 401, "unauthenticated");
    assert.equal(challenge, 'Bearer realm="clew"');
  }
});

test("ERR-3: another scheme or an empty header counts as no credentials", async (t) => {
  const { call, session } = await setGate(t);
  for (const authorization of ["Basic YTpi", `Token ${session.access}`, session.access, "", "Bearer2 abc"]) {
    const answer = await call("/api/auth/me/", null, { headers: { authorization } });
    assert.equal(await problem(answer, 401, "unauthenticated"), 'Bearer realm="clew"');
  }
});

test("ERR-3: a malformed bearer header is an invalid token", async (t) => {
  const { call, session } = await setGate(t);
  const { access } = session;
  for (const authorization of [
    "Bearer",
    `Bearer ${access} ${access}`,
    `Bearer ${access},${access}`,
    `Bearer ${access}, Basic YTpi`,
    `Bearer "${access}"`,
    `Bearer =${access}`,
    `Bearer\t${access}`,
    "Bearer é",
  ]) {
    const answer = await call("/api/auth/me/", null, { headers: { authorization } });
    assert.match((await problem(answer, 401, "token_invalid")) ?? "", invalidToken, authorization);
  }
});

test("SESS-5: the scheme's case and the spaces after it are ignored", async (t) => {
  const { call, session } = await setGate(t);
  for (const scheme of ["Bearer", "bearer", "BEARER", "Bearer  "]) {
    const headers = { authorization: `${scheme} ${session.access}` };
    assert.equal((await call("/api/auth/validate/", null, { headers })).status, 200);
  }
});

test("SESS-2: two Authorization headers are refused, in any order and spelling", async (t) => {
  const { origin, session } = await setGate(t);
  const good = `Bearer ${session.access}`;
  const url = `${origin}/api/auth/validate/`;
  assert.equal((await rawGet(url, ["Authorization", good])).status, 200);
  for (const [first, second] of [
    [good, good],
    [good, "Bearer other"],
    ["Bearer other", good],
    [good, "Basic YTpi"],
    ["Basic YTpi", good],
  ] as const) {
    const { status, body } = await rawGet(url, ["Authorization", first, "authorization", second]);
    assert.equal(status, 401);
    assert.match(body, /"token_invalid"/);
  }
});

test("SESS-5: a token in the URL is ignored", async (t) => {
  const { call, user, session, serviceToken } = await setGate(t);
  const { raw } = await serviceToken(user.id);
  for (const name of ["access_token", "token", "authorization", "bearer"]) {
    await problem(await call(`/api/v1/nodes/?${name}=${raw}`), 401, "unauthenticated");
    await problem(
      await call(`/api/provider-graph/search/?${name}=${session.access}`),
      401,
      "unauthenticated",
    );
  }
});

test("TOK-2: a token is refused unless it is spelled exactly as issued", async (t) => {
  const { call, user, serviceToken } = await setGate(t);
  const { raw } = await serviceToken(user.id);
  assert.equal((await call("/api/v1/nodes/", raw)).status, 200);
  const others = [
    raw.toUpperCase(),
    raw.slice(0, -1),
    `${raw}a`,
    `${raw}=`,
    raw.slice(4),
    "svc_",
    `svc_${raw}`,
  ];
  for (const other of others) await problem(await call("/api/v1/nodes/", other), 401, "token_invalid");
});

test("TOK-2: what is not spelled as a service token is refused without a read of the store", async (t) => {
  const { call, database } = await setGate(t);
  await database.close();
  for (const other of ["svc_", `svc_${"a".repeat(31)}`, `svc_${"a".repeat(33)}`, `svc_${"a".repeat(31)}-`])
    await problem(await call("/api/v1/nodes/", other), 401, "token_invalid");
});

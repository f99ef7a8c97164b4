import assert from "node:assert/strict";
import { createSign, generateKeyPairSync, randomBytes, sign as signWith } from "node:crypto";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { ApiError } from "../model/api-error.ts";
import { actorOf } from "../model/testing/actor.ts";
import { createSessionTokens, namedSession, rememberVerified } from "./session-tokens.ts";
import { createSigningKeys } from "./signing-keys.ts";
import { createAuthFixture, day, hour, second } from "./testing/auth-fixture.ts";
import { encode, forge, openKeys, takeApart } from "./testing/forge.ts";

const userId = "0b9b5a0e-6f0e-4a52-9a55-9b6a4f5f8c11";
const sessionId = "d2a1a1de-54cf-4d0f-8d34-1d7f7f6f0a22";

const base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

async function setTokens(t: TestContext) {
  const fixture = await createAuthFixture(t);
  const { clock, issuer } = fixture;
  const keys = await createSigningKeys({ ...fixture, random: randomBytes });
  const tokens = createSessionTokens({ keys, clock, random: randomBytes, issuer, audiences: ["clew"] });
  const [key] = await openKeys(fixture);
  assert.ok(key);
  const now = Math.floor(clock() / second);
  const header = { alg: "HS256", typ: "at+jwt", kid: key.kid };
  const payload = {
    iss: issuer,
    aud: "clew",
    sub: userId,
    sid: sessionId,
    jti: "one",
    iat: now,
    exp: now + 4 * 3600,
  };
  const issue = (kind: "access" | "refresh") =>
    tokens.sign(kind, {
      userId,
      sessionId,
      issuedAt: clock(),
      expiresAt: clock() + (kind === "access" ? 4 * hour : 7 * day),
    });
  /** Signs any content with the right key. */
  const genuine = (changes: object, headerChanges: object = {}) =>
    forge({ ...header, ...headerChanges }, { ...payload, ...changes }, key.secret);
  const refused = async (token: string, what: string) => {
    assert.equal(await tokens.verify("access", token), null, what);
  };
  return { clock, tokens, key, header, payload, issue, genuine, refused };
}

test("SESS-1: a token is HS256 with kid, typ and the claims iss, aud, sub, sid, jti, iat, exp", async (t) => {
  const { issue, header, payload } = await setTokens(t);
  for (const [kind, typ, seconds] of [
    ["access", "at+jwt", 4 * 3600],
    ["refresh", "rt+jwt", 7 * 86_400],
  ] as const) {
    const token = takeApart(await issue(kind));
    assert.deepEqual(token.header, { ...header, typ });
    assert.equal(typeof token.payload.jti, "string");
    const expected = { ...payload, jti: token.payload.jti, exp: payload.iat + seconds };
    assert.deepEqual(token.payload, expected);
  }
});

test("SESS-1: every token is unique", async (t) => {
  const { issue } = await setTokens(t);
  const ids = await Promise.all(Array.from({ length: 20 }, () => issue("access")));
  assert.equal(new Set(ids.map((token) => takeApart(token).payload.jti)).size, 20);
});

test("SESS-2: a token signed by Clew verifies, expired or not, and so does the test's own signature", async (t) => {
  const { tokens, issue, genuine, clock, payload } = await setTokens(t);
  const claims = { userId, sessionId, issuedAt: payload.iat * second, expiresAt: payload.exp * second };
  const token = await issue("access");
  assert.deepEqual(await tokens.verify("access", token), claims);
  assert.deepEqual(await tokens.verify("access", genuine({})), claims);
  clock.advance(30 * day);
  assert.deepEqual(await tokens.verify("access", token), claims);
});

test("SESS-2: a refresh token is not accepted as an access token, nor the reverse", async (t) => {
  const { tokens, issue, genuine } = await setTokens(t);
  assert.equal(await tokens.verify("access", await issue("refresh")), null);
  assert.equal(await tokens.verify("refresh", await issue("access")), null);
  assert.equal(await tokens.verify("refresh", genuine({}, { typ: "at+jwt" })), null);
});

test("SESS-2: `none` in any spelling is refused, with and without a signature", async (t) => {
  const { header, payload, key, refused } = await setTokens(t);
  for (const alg of ["none", "None", "NONE", "nOnE", "", " none", null, undefined]) {
    const token = forge({ ...header, alg }, payload, key.secret);
    const [head, body] = token.split(".");
    await refused(token, `${alg} signed`);
    await refused(`${head}.${body}.`, `${alg} without a signature`);
    await refused(`${head}.${body}`, `${alg} in two segments`);
  }
});

test("SESS-2: another algorithm is refused, even with the right key", async (t) => {
  const { header, payload, key, refused } = await setTokens(t);
  await refused(forge({ ...header, alg: "HS512" }, payload, key.secret, "sha512"), "HS512");
  await refused(forge({ ...header, alg: "HS384" }, payload, key.secret, "sha384"), "HS384");
  await refused(forge(header, payload, key.secret, "sha512"), "HS512 that calls itself HS256");
  await refused(forge({ ...header, alg: "hs256" }, payload, key.secret), "hs256");
  await refused(forge({ ...header, alg: ["HS256"] }, payload, key.secret), "a list");

  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const unsigned = `${encode({ ...header, alg: "RS256" })}.${encode(payload)}`;
  const signature = createSign("sha256").update(unsigned).sign(rsa.privateKey, "base64url");
  await refused(`${unsigned}.${signature}`, "RS256");
  const publicPem = rsa.publicKey.export({ type: "spki", format: "pem" });
  await refused(forge(header, payload, publicPem), "HS256 keyed with a public key");

  const ed = generateKeyPairSync("ed25519");
  const edUnsigned = `${encode({ ...header, alg: "EdDSA" })}.${encode(payload)}`;
  const edSignature = signWith(null, Buffer.from(edUnsigned), ed.privateKey).toString("base64url");
  await refused(`${edUnsigned}.${edSignature}`, "EdDSA");
});

test("SESS-2: another key, an unknown kid and an empty key are refused", async (t) => {
  const { header, payload, key, refused } = await setTokens(t);
  await refused(forge(header, payload, randomBytes(32)), "another key");
  await refused(forge(header, payload, ""), "an empty key");
  await refused(forge({ ...header, kid: undefined }, payload, key.secret), "no kid");
  for (const kid of [
    "",
    "unknown",
    `${key.kid} `,
    randomBytes(16).toString("base64url"),
    1,
    null,
    [key.kid],
  ]) {
    await refused(forge({ ...header, kid }, payload, key.secret), `kid ${JSON.stringify(kid)}`);
  }
});

test("SESS-2: a header with anything more or less than alg, typ and kid is refused", async (t) => {
  const { genuine, refused, header, payload, key } = await setTokens(t);
  for (const extra of [
    { crit: ["exp"] },
    { b64: false, crit: ["b64"] },
    { jwk: { kty: "oct", k: "AAAA" } },
    { jku: "https://evil.example/keys" },
    { x5u: "https://evil.example/x5u" },
    { cty: "JWT" },
    { typ: "JWT" },
    { typ: "application/at+jwt" },
    { typ: "AT+JWT" },
    { typ: undefined },
  ]) {
    await refused(genuine({}, extra), JSON.stringify(extra));
  }
  for (const text of ["null", "[]", '"HS256"', "{", "", "1"]) {
    await refused(forge(text, payload, key.secret), `header ${text}`);
    await refused(forge(header, text, key.secret), `payload ${text}`);
  }
});

test("SESS-2: claims of another shape, issuer or audience are refused", async (t) => {
  const { genuine, refused, payload } = await setTokens(t);
  const { iat, exp } = payload;
  for (const changes of [
    { iss: "https://other.example/" },
    { iss: "https://clew.example" },
    { iss: ["https://clew.example/"] },
    { iss: undefined },
    { aud: "other" },
    { aud: ["clew"] },
    { aud: undefined },
    { sub: 7 },
    { sub: "" },
    { sub: undefined },
    { sid: 7 },
    { sid: null },
    { sid: { id: sessionId } },
    { sid: "" },
    { jti: undefined },
    { jti: 1 },
    { exp: undefined },
    { exp: exp + 0.5 },
    { exp: String(exp) },
    { exp: null },
    { exp: true },
    { exp: iat + 4 * 3600 + 1 },
    { exp: 9_007_199_254_740_991 },
    { exp: 1e300 },
    { exp: iat },
    { exp: -1 },
    { iat: undefined },
    { iat: iat + 0.5 },
    { iat: String(iat) },
    { iat: iat + 61, exp: exp + 61 },
    { iat: -1, exp: 3600 },
  ]) {
    await refused(genuine(changes), JSON.stringify(changes));
  }
});

test("SESS-2: a token from a clock one minute ahead is accepted", async (t) => {
  const { tokens, genuine, payload } = await setTokens(t);
  const { iat, exp } = payload;
  assert.ok(await tokens.verify("access", genuine({ iat: iat + 60, exp: exp + 60 })));
});

test("OPS-13: a token names its session before it is verified, and anything that Clew does not sign names none", async (t) => {
  const { issue, genuine, header, payload, key } = await setTokens(t);
  for (const kind of ["access", "refresh"] as const) assert.equal(namedSession(await issue(kind)), sessionId);
  const unsigned = forge(header, payload, randomBytes(32));
  assert.equal(namedSession(unsigned), sessionId);
  for (const sid of [7, null, undefined, "", [sessionId], `${sessionId}0`, sessionId.toUpperCase()])
    assert.equal(namedSession(genuine({ sid })), null, JSON.stringify(sid));
  assert.equal(namedSession(forge(header, "{", key.secret)), null);
  assert.equal(namedSession(genuine({}, { cty: "JWT" })), null);
});

test("SESS-2: a token has one spelling: with spaces, padding, wrapping or stray bits it is refused", async (t) => {
  const { issue, tokens } = await setTokens(t);
  const token = await issue("access");
  const parts = token.split(".");
  const refusedAs = async (spelling: string) => {
    if (spelling !== token)
      assert.equal(await tokens.verify("access", spelling), null, JSON.stringify(spelling));
  };
  for (const index of [0, 1, 2]) {
    const assertVariantRefused = (change: (part: string) => string) =>
      refusedAs(parts.map((part, at) => (at === index ? change(part) : part)).join("."));
    for (const extra of ["=", "==", " ", "\n", "\r\n", "\t", "\0", "%20", "A", "AAAA", "é"]) {
      await assertVariantRefused((part) => part + extra);
      await assertVariantRefused((part) => extra + part);
      await assertVariantRefused((part) => part.slice(0, 8) + extra + part.slice(8));
    }
    await assertVariantRefused(() => "");
    await assertVariantRefused((part) => Buffer.from(part, "base64url").toString("base64"));
    for (const last of base64url) await assertVariantRefused((part) => part.slice(0, -1) + last);
  }
  const [header, payload, signature] = parts;
  await refusedAs(`${token}.`);
  await refusedAs(`.${token}`);
  await refusedAs(`${token}.AAAA`);
  await refusedAs(`${header}.${payload}`);
  await refusedAs("");
  await refusedAs("..");
  await refusedAs(JSON.stringify({ protected: header, payload, signature }));
});

test("SESS-2: a token with one character altered is refused", async (t) => {
  const { issue, tokens } = await setTokens(t);
  const token = await issue("access");
  const alteration = fc.record({
    at: fc.nat(token.length - 1),
    to: fc.constantFrom(..."ABCxyz019-_. =+/"),
  });
  await fc.assert(
    fc.asyncProperty(alteration, async ({ at, to }) => {
      fc.pre(token[at] !== to);
      assert.equal(await tokens.verify("access", token.slice(0, at) + to + token.slice(at + 1)), null);
    }),
  );
});

test("SESS-2: arbitrary text is refused without an exception", async (t) => {
  const { tokens } = await setTokens(t);
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(fc.base64String()).map((parts) => parts.join(".")),
  );
  await fc.assert(
    fc.asyncProperty(text, async (raw) => assert.equal(await tokens.verify("access", raw), null)),
  );
});

test("SESS-2: an oversized token is refused, even if validly signed", async (t) => {
  const { genuine, refused } = await setTokens(t);
  await refused(genuine({ filler: "x".repeat(1_000_000) }), "a megabyte");
});

test("SESS-2: the last of two equal claims counts, and only if Clew signed them", async (t) => {
  const { tokens, header, payload, key, refused } = await setTokens(t);
  const twice = JSON.stringify(payload).replace('"sub":', '"sub":"someone-else","sub":');
  assert.equal((await tokens.verify("access", forge(header, twice, key.secret)))?.userId, userId);
  await refused(forge(header, twice, randomBytes(32)), "signed by another");
});

const refusal = (code: string) => (error: unknown) => error instanceof ApiError && error.code === code;

test("SESS-4: a cached token is refused as soon as its session ends", async (t) => {
  const { sessions, signUp, signIn } = await createAuthFixture(t);
  const { access, refresh } = await signIn((await signUp("owner")).id);
  const caller = await sessions.verifyAccess(access);
  assert.deepEqual(await sessions.verifyAccess(access), caller);
  await sessions.logout(actorOf(caller), refresh);
  await assert.rejects(sessions.verifyAccess(access), refusal("token_revoked"));
});

test("SESS-1: a cached token is refused once it has expired", async (t) => {
  const { clock, sessions, signUp, signIn } = await createAuthFixture(t);
  const { access } = await signIn((await signUp("owner")).id);
  await sessions.verifyAccess(access);
  clock.advance(4 * hour);
  await assert.rejects(sessions.verifyAccess(access), refusal("token_expired"));
});

test("SESS-2: a cached token keeps its type, and refused tokens are not cached", async () => {
  const claims = { userId: "u", sessionId: "s", issuedAt: 0, expiresAt: day };
  let asked = 0;
  let good = false;
  const tokens = rememberVerified({
    sign: async () => "",
    verify: async (kind) => {
      asked += 1;
      return good && kind === "access" ? claims : null;
    },
  });
  assert.equal(await tokens.verify("access", "token"), null);
  good = true;
  assert.deepEqual(await tokens.verify("access", "token"), claims);
  assert.deepEqual(await tokens.verify("access", "token"), claims);
  assert.equal(asked, 2);
  assert.equal(await tokens.verify("refresh", "token"), null);
  assert.equal(await tokens.verify("access", "token "), claims, "another token is verified anew");
  assert.equal(asked, 4);
});

test("SESS-2: the token cache is bounded, and keeps the most recently used", async () => {
  const asked: string[] = [];
  const tokens = rememberVerified({
    sign: async () => "",
    verify: async (_, raw) => {
      asked.push(raw);
      return { userId: "u", sessionId: raw, issuedAt: 0, expiresAt: day };
    },
  });
  await tokens.verify("access", "often");
  await tokens.verify("access", "once");
  for (let number = 0; number < 10_000; number += 1) {
    await tokens.verify("access", `other ${number}`);
    if (number % 5_000 === 0) await tokens.verify("access", "often");
  }
  asked.length = 0;
  await tokens.verify("access", "often");
  await tokens.verify("access", "once");
  assert.deepEqual(asked, ["once"]);
});

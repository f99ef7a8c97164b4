import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { type SignedIn, serveAccounts, validBody, workspaceId } from "../testing/account-server.ts";
import type { Answer } from "../testing/route-server.ts";

const other = "1c2d3e4f-5a6b-4c7d-8e9f-0a1b2c3d4e5f";
const day = 86_400_000;

const paths = ({ body }: Answer): string[] => body.errors.map(({ path }: { path: string }) => path);

async function assertRefused(person: SignedIn, body: unknown, expected: readonly string[]): Promise<void> {
  const answer = await person.create(body);
  assert.equal(answer.status, 400, `${JSON.stringify(body)} → ${answer.text}`);
  assert.equal(answer.body.code, "invalid_request");
  assert.deepEqual([...new Set(paths(answer))].toSorted(), [...expected].toSorted(), answer.text);
  assert.deepEqual((await person.list()).body.items, [], "nothing is created");
}

test("TOK-1: a creation answers 201 with the whole record and no-store", async (t) => {
  const { fixture, signIn } = await serveAccounts(t);
  const person = await signIn("a");
  const { status, headers, body } = await person.create({ ...validBody, expires_in_days: 30 });
  assert.equal(status, 201);
  assert.equal(headers["cache-control"], "no-store");
  const { id, token, ...record } = body;
  assert.ok(Number.isSafeInteger(id) && id > 0);
  assert.deepEqual(record, {
    name: "agent",
    prefix: token.slice(0, 12),
    scopes: ["graph:read"],
    workspace_ids: [workspaceId],
    is_active: true,
    created_at: new Date(fixture.clock()).toISOString(),
    expires_at: new Date(fixture.clock() + 30 * day).toISOString(),
    client: null,
    created_by_browser: "lightMyRequest",
  });
});

test("TOK-2: the store contains the token's SHA-256, and the log nothing of it", async (t) => {
  const { fixture, logged, signIn } = await serveAccounts(t);
  const person = await signIn("a");
  const { body } = await person.create(validBody);
  assert.match(body.token, /^svc_[A-Za-z0-9]{32}$/);
  const hash = createHash("sha256").update(body.token).digest();
  const [record] = await fixture.database.callers([{ kind: "service-token", hash }]);
  assert.equal(record?.kind === "service-token" && record.token.id, body.id);
  assert.ok(!(await person.list()).text.includes(body.token));
  assert.ok(logged.length > 0);
  assert.ok(!logged.join("").includes(body.token.slice(12)));
});

test("TOK-3: the name is trimmed, duplicates in both lists are removed, the order is kept", async (t) => {
  const { signIn } = await serveAccounts(t);
  const person = await signIn("a", [workspaceId, other]);
  const { body } = await person.create({
    name: "  nightly export\n",
    scopes: ["graph:read", "graph:search", "graph:read"],
    workspace_ids: [other, workspaceId, other],
  });
  assert.equal(body.name, "nightly export");
  assert.deepEqual(body.scopes, ["graph:read", "graph:search"]);
  assert.deepEqual(body.workspace_ids, [other, workspaceId]);
  const [item] = (await person.list()).body.items;
  assert.deepEqual(
    [item.name, item.scopes, item.workspace_ids],
    [body.name, body.scopes, body.workspace_ids],
  );
});

test("TOK-3: 50 distinct workspaces are accepted, 51 are not, duplicates do not count", async (t) => {
  const ids = Array.from({ length: 51 }, (_, i) => `workspace-${i}`);
  const { signIn } = await serveAccounts(t);
  const person = await signIn("a", ids);
  await assertRefused(person, { ...validBody, workspace_ids: ids }, ["/workspace_ids"]);
  const fifty = ids.slice(0, 50);
  const { status, body } = await person.create({ ...validBody, workspace_ids: [...fifty, ...fifty] });
  assert.equal(status, 201);
  assert.deepEqual(body.workspace_ids, fifty);
});

test("TOK-3: a workspace that the caller is not connected to is refused with its path", async (t) => {
  const { signIn } = await serveAccounts(t);
  await signIn("another user", [other]);
  const person = await signIn("a");
  for (const stranger of [other, "", workspaceId.toUpperCase(), `${workspaceId} `]) {
    await assertRefused(person, { ...validBody, workspace_ids: [workspaceId, stranger] }, [
      "/workspace_ids/1",
    ]);
  }
});

test("TOK-3: invalid fields are refused", async (t) => {
  const { signIn } = await serveAccounts(t);
  const person = await signIn("a");
  for (const name of [undefined, null, 7, true, ["x"], "", " \t", "x".repeat(101), "a\0b", "\ud800"]) {
    await assertRefused(person, { ...validBody, name }, ["/name"]);
  }
  for (const scopes of [undefined, null, [], "graph:read", {}]) {
    await assertRefused(person, { ...validBody, scopes }, ["/scopes"]);
  }
  for (const scope of ["graph:write", "GRAPH:READ", "", null, 1, ["graph:read"]]) {
    await assertRefused(person, { ...validBody, scopes: ["graph:read", scope] }, ["/scopes/1"]);
  }
  for (const ids of [undefined, null, [], workspaceId, {}]) {
    await assertRefused(person, { ...validBody, workspace_ids: ids }, ["/workspace_ids"]);
  }
  await assertRefused(person, { ...validBody, workspace_ids: [workspaceId, 7] }, ["/workspace_ids/1"]);
  for (const field of ["is_active", "token", "expires_at", "a/b~c"]) {
    const pointer = `/${field.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    await assertRefused(person, { ...validBody, [field]: true }, [pointer]);
  }
});

test("TOK-3: a body that is not an object is refused", async (t) => {
  const { signIn } = await serveAccounts(t);
  const person = await signIn("a");
  for (const body of ["null", "[]", '"agent"', "7"]) await assertRefused(person, body, [""]);
});

test("TOK-3: a duplicate field is refused", async (t) => {
  const { signIn } = await serveAccounts(t);
  const person = await signIn("a");
  const doubled = `{"name":"x",${JSON.stringify(validBody).slice(1)}`;
  await assertRefused(person, doubled, ["/name"]);
});

test("TOK-4: an expiry that is absent or null means never", async (t) => {
  const { signIn } = await serveAccounts(t);
  const person = await signIn("a");
  assert.equal((await person.create(validBody)).body.expires_at, null);
  assert.equal((await person.create({ ...validBody, expires_in_days: null })).body.expires_at, null);
});

test("TOK-4: expires_at is created_at and that many days exactly", async (t) => {
  const { signIn } = await serveAccounts(t);
  const person = await signIn("a");
  for (const days of [1, 7, 365, 3650]) {
    const { body } = await person.create({ ...validBody, expires_in_days: days });
    assert.equal(Date.parse(body.expires_at) - Date.parse(body.created_at), days * day);
  }
});

test("TOK-4: anything but an integer from 1 to 3650 is refused", async (t) => {
  const { signIn } = await serveAccounts(t);
  const person = await signIn("a");
  for (const days of [0, -1, 3651, 1.5, 1e300, true, false, "30", "", [30], {}]) {
    await assertRefused(person, { ...validBody, expires_in_days: days }, ["/expires_in_days"]);
  }
});

test("TOK-5: all errors are listed in one response, each with its path", async (t) => {
  const { signIn } = await serveAccounts(t);
  const person = await signIn("a");
  await assertRefused(
    person,
    { name: " ", scopes: ["x"], workspace_ids: [workspaceId, other, 5], expires_in_days: 0, colour: "red" },
    ["/name", "/scopes/0", "/workspace_ids/1", "/workspace_ids/2", "/expires_in_days", "/colour"],
  );
  await assertRefused(person, { workspace_ids: [other] }, ["/name", "/scopes", "/workspace_ids/0"]);
});

test("TOK-5: each error is listed once", async (t) => {
  const { signIn } = await serveAccounts(t);
  const person = await signIn("a");
  const answer = await person.create({ ...validBody, expires_in_days: "30" });
  assert.equal(answer.body.errors.length, 1, answer.text);
});

test("TOK-1: only a session can create tokens, not an anonymous caller or a service token", async (t) => {
  const { as, signIn } = await serveAccounts(t);
  const person = await signIn("a");
  const { body } = await person.create(validBody);
  assert.equal((await as(null).create(validBody)).status, 401);
  const byToken = await as(body.token).create(validBody);
  assert.deepEqual([byToken.status, byToken.body.code], [403, "wrong_token_type"]);
  assert.equal((await person.list()).body.items.length, 1);
});

test("ERR-2: a creation accepts no parameters", async (t) => {
  const { signIn } = await serveAccounts(t);
  const person = await signIn("a");
  const answer = await person.create(validBody, "?token=svc_mine");
  assert.deepEqual([answer.status, paths(answer)], [400, ["?token"]]);
  assert.deepEqual((await person.list()).body.items, []);
});

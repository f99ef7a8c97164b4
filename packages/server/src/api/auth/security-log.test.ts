import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { originOf, writeSecurityEvent } from "../../auth/security-log.ts";
import { serveAccounts, validBody, workspaceId } from "../testing/account-server.ts";

interface Line {
  readonly security?: boolean;
  readonly [field: string]: unknown;
}

const linesOf = (logged: readonly string[]): Line[] =>
  logged
    .map((line): Line => JSON.parse(line))
    .filter(({ security }) => security === true)
    .map(({ level: _, time: __, pid: ___, hostname: ____, reqId: _____, ...line }) => line);

const from = { security: true, actor: "user", address: "127.0.0.1", user_agent: "lightMyRequest" };

test("the security log records who created, rotated and revoked which token, with session and address", async (t) => {
  const { signIn, logged } = await serveAccounts(t);
  const person = await signIn("a");
  const { body: first } = await person.create({ ...validBody, name: "Nightly export" });
  const { body: second } = await person.rotate(first.id);
  await person.revoke(second.id);
  await person.create({ ...validBody, name: "" });
  const by = { ...from, outcome: "success", user_id: person.userId, session_id: person.sessionId };
  assert.deepEqual(linesOf(logged), [
    { ...by, event: "token_created", token_id: first.id, msg: "token created" },
    { ...by, event: "token_rotated", token_id: first.id, successor_id: second.id, msg: "token rotated" },
    { ...by, event: "token_revoked", token_id: second.id, msg: "token revoked" },
  ]);
  for (const { token } of [first, second]) assert.ok(!logged.join("").includes(token.slice(12)));
  assert.ok(!logged.join("").includes("Nightly export"), "names stay out of the log");
});

test("OPS-2: the line of a session's request names no service token, also if it made or ended one", async (t) => {
  const { signIn, logged } = await serveAccounts(t);
  const person = await signIn("a");
  const { body: first } = await person.create(validBody);
  const { body: second } = await person.rotate(first.id);
  await person.revoke(second.id);
  await person.list();
  const lines = logged.map((line): Line => JSON.parse(line)).filter(({ msg }) => msg === "request completed");
  assert.deepEqual(
    lines.slice(0, 3).map(({ method, user_id, token_id }) => [method, user_id, token_id]),
    ["POST", "POST", "DELETE"].map((method) => [method, person.userId, undefined]),
  );
});

test("the security log records refused credentials with known details, and ignores missing ones", async (t) => {
  const server = await serveAccounts(t);
  const person = await server.signIn("a");
  const other = await server.signIn("a");
  const { body } = await person.create(validBody);
  await person.endSession(other.sessionId);
  const seen = server.logged.length;
  await server.as(null).list();
  await server.as(`svc_${"a".repeat(32)}`).list();
  await other.list();
  await server.as(body.token).list();
  const failed = { ...from, outcome: "failure" };
  const authentication = { ...failed, event: "authentication_failed", msg: "authentication failed" };
  assert.deepEqual(linesOf(server.logged.slice(seen)), [
    { ...authentication, reason: "token_invalid" },
    { ...authentication, reason: "token_revoked", user_id: other.userId, session_id: other.sessionId },
    {
      ...failed,
      event: "authorization_failed",
      msg: "authorization failed",
      reason: "wrong_token_type",
      user_id: person.userId,
      token_id: body.id,
    },
  ]);
});

test("the security log records which session ended which", async (t) => {
  const { signIn, logged } = await serveAccounts(t);
  const [one, other] = [await signIn("a"), await signIn("a")];
  await one.endSession(other.sessionId);
  await one.endOtherSessions();
  assert.deepEqual(
    linesOf(logged).map(({ event, session_id, ended_session_id }) => [event, session_id, ended_session_id]),
    [
      ["signed_out", one.sessionId, other.sessionId],
      ["signed_out", one.sessionId, "others"],
    ],
  );
});

test("ERR-4: the control characters that a header can have are in no log and no audit trail", () => {
  const headers = { "user-agent": "A\u009b31m\tB\u007f é" };
  assert.equal(originOf({ ip: "127.0.0.1", headers }).userAgent, "A 31m B  é");
});

test("the security log is written at any level of the log but silent", () => {
  const written: string[] = [];
  for (const level of ["info", "fatal", "silent"] as const) {
    const log = pino({ level }, { write: (line: string) => void written.push(line) });
    writeSecurityEvent(log, { event: "signed_in", outcome: "success", workspaceId });
  }
  assert.equal(written.length, 2);
});

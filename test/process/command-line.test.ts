import assert from "node:assert/strict";
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { AuditTrail, ServiceTokenList, WorkspaceList } from "@clew/contract";
import { call } from "../support/call.ts";
import { type ClewProcess, freePort, type Settings } from "../support/clew-process.ts";
import { runCommand, runCommandIn, type Said } from "../support/command-line.ts";
import { markdownPage, writeFiles } from "../support/markdown-folder.ts";
import { clientOf, createToken, type SignedIn, signIn, waitForSync } from "../support/session.ts";
import { stageOf } from "../support/stage.ts";

/** An installation with a signed-in person and their token, and the commands of the command line. */
async function settle(t: TestContext) {
  const stage = await stageOf(t);
  const pages = join(stage.folder, "pages");
  await writeFiles(pages, {
    "one.md": markdownPage("One", "To [two](two.md)."),
    "two.md": markdownPage("Two", ""),
  });
  const settings: Settings = {
    PORT: String(await freePort()),
    DATA_DIR: join(stage.folder, "data"),
    WORKSPACE_DIR: pages,
  };
  const clew = await stage.start(settings);
  const session = await signIn(clew.url);
  await waitForSync(clew.url, session);
  const created = await createToken(clew.url, session, "agent");
  const command = (...words: string[]) => runCommand(settings, ...words);
  return { stage, settings, clew, session, created, command, start: () => stage.start(settings) };
}

const status = async (clew: ClewProcess, path: string, token: string) =>
  (await call(clew.url, path, { token })).status;

const reads = (clew: ClewProcess, token: string) => status(clew, "api/v1/workspaces/", token);
const isSignedIn = async (clew: ClewProcess, { access }: SignedIn) =>
  (await status(clew, "api/auth/validate/", access)) === 200;

function done(said: Said): string {
  assert.equal(said.code, 0, said.errors);
  return said.output;
}

function refused(said: Said, code = 1): string {
  assert.equal(said.code, code, said.output);
  assert.equal(said.output, "");
  return said.errors;
}

/** The single line of a usage error. */
function misused(said: Said): string {
  assert.equal(said.code, 2, said.output);
  assert.equal(said.output, "");
  assert.match(said.errors, /^[^\n]+ Run `clew --help` for the commands\.\n$/);
  return said.errors;
}

test("OPS-7: an unknown command, a missing argument and an unknown option get one line and exit code 2", async () => {
  assert.match(misused(await runCommand({}, "tokns")), /unknown command 'tokns'.*Did you mean tokens/);
  assert.match(misused(await runCommand({}, "backup")), /missing required argument 'path'/);
  assert.match(
    misused(await runCommand({}, "tokens", "list", "--al")),
    /unknown option '--al'.*Did you mean --all/,
  );
});

test("OPS-7: clew without arguments prints its help, and --version its version", async () => {
  assert.match(done(await runCommand({})), /^Usage: clew .*serve.*backup/s);
  assert.match(done(await runCommand({}, "--version")), /^\d+\.\d+\.\d+( \(commit [0-9a-f]{40,64}\))?\n$/);
});

test("OPS-5: settings are read from .env in the working directory, and clew config shows the source of each", async (t) => {
  const { folder } = await stageOf(t);
  await writeFile(join(folder, ".env"), "PORT=9000\nSYNC_INTERVAL=5m\n");
  const shown = done(await runCommandIn(folder, { SYNC_INTERVAL: "0" }, "config"));
  assert.match(shown, /^PORT +9000 +\.env$/m);
  assert.match(shown, /^SYNC_INTERVAL +0s +the environment$/m);
  await writeFile(join(folder, ".env"), "NOTION_CLIENT_IDD=x\n");
  assert.match(
    refused(await runCommandIn(folder, {}, "config"), 2),
    /NOTION_CLIENT_IDD is not a setting of Clew/,
  );
});

test("OPS-7: migrate creates a database that a later start uses", async (t) => {
  const stage = await stageOf(t);
  const settings = { DATA_DIR: join(stage.folder, "new") };
  assert.match(done(await runCommand(settings, "migrate")), /clew\.db has schema \d+\.$/m);
  assert.equal(await (await stage.start(settings)).terminate(), 0);
});

test("TOK-8, TOK-12: a token that the operator revokes is refused at once, and its owner can read why", async (t) => {
  const { clew, session, created, command } = await settle(t);
  const list = done(await command("tokens", "list"));
  assert.match(list, new RegExp(`^${created.id} +${created.prefix} +agent .* active `, "m"));
  assert.ok(!list.includes(created.token.slice(12)));
  const said = done(await command("tokens", "revoke", String(created.id)));
  assert.match(said, /is revoked/);
  assert.equal(await reads(clew, created.token), 401);
  const { body } = await call<AuditTrail>(clew.url, "api/audit/", { token: session.access });
  const line = body.items.find(({ event }) => event === "token_revoked");
  assert.deepEqual([line?.token?.id, line?.reason, line?.session_id], [created.id, "operator", null]);
  assert.match(done(await command("tokens", "list")), /no service tokens to list/);
  const [all] = JSON.parse(done(await command("tokens", "list", "--all", "--json")));
  assert.deepEqual([all.id, all.status], [created.id, "revoked"]);
  for (const id of ["999", "x", "01"])
    assert.match(refused(await command("tokens", "revoke", id)), /no service token/);
});

test("SESS-7: a rotated key signs new tokens, and existing sessions stay valid", async (t) => {
  const { clew, session, command } = await settle(t);
  const kidOf = (token: string) =>
    JSON.parse(String(Buffer.from(token.split(".")[0] ?? "", "base64url"))).kid;
  const [, kid] = /key (\S+)\. Tokens/.exec(done(await command("keys", "rotate"))) ?? [];
  assert.notEqual(kidOf(session.access), kid);
  assert.ok(await isSignedIn(clew, session));
  const later = await signIn(clew.url);
  assert.equal(kidOf(later.access), kid);
  assert.ok(await isSignedIn(clew, later));
});

test("OPS-7: a backup can be created while Clew serves, is complete, and overwrites no file", async (t) => {
  const { stage, settings, created, command } = await settle(t);
  const copy = join(stage.folder, "copy.db");
  assert.match(done(await command("backup", copy)), /checked\..*encryption\.key/s);
  assert.equal((await stat(copy)).mode & 0o777, 0o600);
  assert.match(done(await command("verify", copy)), /is sound/);
  assert.match(done(await command("verify")), /is sound: schema \d+, 2 secrets/);
  assert.match(refused(await command("backup", copy)), /exists already/);
  done(await command("backup", copy, "--force"));
  assert.match(
    refused(await command("backup", join(settings.DATA_DIR ?? "", "clew.db"))),
    /cannot be written to the path/,
  );
  // It contains neither the raw service token nor the provider's token.
  assert.ok(!(await readFile(copy, "latin1")).includes(created.token.slice(12)));
});

test("OPS-7: verify reports a damaged database, a wrong key, and a missing key", async (t) => {
  const { stage, settings, clew, command } = await settle(t);
  const copy = join(stage.folder, "copy.db");
  done(await command("backup", copy));
  await clew.terminate();
  const bytes = await readFile(copy);
  bytes.fill(0x5a, 3 * 4096, 9 * 4096);
  const damaged = join(stage.folder, "damaged.db");
  await writeFile(damaged, bytes);
  assert.match(refused(await command("verify", damaged)), /is not sound/);
  assert.match(refused(await command("restore", damaged)), /cannot be restored/);
  const nonsense = join(stage.folder, "nonsense.db");
  await writeFile(nonsense, "no database");
  assert.match(refused(await command("verify", nonsense)), /cannot be read as a database/);
  const key = Buffer.alloc(32, 1).toString("base64");
  assert.match(
    refused(await runCommand({ ...settings, ENCRYPTION_KEY: key }, "verify"), 3),
    /encryption key is not/,
  );
  const keyFile = join(settings.DATA_DIR ?? "", "encryption.key");
  await copyFile(keyFile, join(stage.folder, "key"));
  await rm(keyFile);
  assert.match(refused(await command("verify"), 3), /encryption\.key is missing/);
  assert.match(refused(await command("keys", "rotate"), 3), /encryption\.key is missing/);
  await assert.rejects(stage.start(settings), /encryption\.key is missing/);
  assert.ok(
    !(await readdir(settings.DATA_DIR ?? "")).includes("encryption.key"),
    "no other key took its place",
  );
});

test("OPS-7: a restore brings back the data of the backup, but nothing that has ended since", async (t) => {
  const { stage, clew, session, created, command, start } = await settle(t);
  const kept = await createToken(clew.url, session, "kept");
  const there = await signIn(clew.url);
  const copy = join(stage.folder, "copy.db");
  done(await command("backup", copy));
  const client = clientOf(clew.url, session);
  await client.revokeServiceToken({ id: created.id });
  await client.signOut({ refresh: there.refresh });
  const late = await createToken(clew.url, session, "made after the backup");
  assert.match(refused(await command("restore", copy), 4), /stop Clew first/);
  assert.equal(await reads(clew, kept.token), 200, "the refused restore changed nothing");
  await clew.terminate();

  const said = done(await command("restore", copy));
  assert.match(said, /kept as .*before-restore-/);
  assert.match(said, /1 service tokens stay revoked/);
  assert.match(said, /1 sessions stay ended/);
  assert.doesNotMatch(said, /accounts|workspaces stay/);

  const again = await start();
  assert.ok(await isSignedIn(again, session));
  assert.ok(!(await isSignedIn(again, there)));
  assert.deepEqual(
    [await reads(again, kept.token), await reads(again, created.token), await reads(again, late.token)],
    [200, 401, 401],
  );
  // Ids are never reused, not even those that were assigned after the backup (TOK-8).
  assert.ok((await createToken(again.url, session, "next")).id > late.id);
});

test("SESS-9, GRAPH-15: a restore does not bring back a deleted account or a disconnected workspace", async (t) => {
  const { stage, clew, session, command, start } = await settle(t);
  const copy = join(stage.folder, "copy.db");
  done(await command("backup", copy));
  const { body } = await call<WorkspaceList>(clew.url, "api/provider-graph/workspaces/", {
    token: session.access,
  });
  const [workspace] = body.items;
  await call(clew.url, `api/provider-graph/workspaces/${workspace?.id}/`, {
    method: "DELETE",
    token: session.access,
  });
  await clew.terminate();
  assert.match(
    done(await command("restore", copy)),
    /1 service tokens stay revoked.*1 workspaces stay disconnected/s,
  );

  const again = await start();
  const left = await call<WorkspaceList>(again.url, "api/provider-graph/workspaces/", {
    token: session.access,
  });
  assert.deepEqual(left.body.items, []);
  await call(again.url, "api/auth/me/", { method: "DELETE", token: session.access });
  await again.terminate();
  assert.match(done(await command("restore", copy)), /1 accounts stay deleted/);
  const last = await start();
  assert.ok(!(await isSignedIn(last, session)));
});

test("OPS-7: on a new machine a backup and its key are sufficient", async (t) => {
  const { stage, settings, clew, session, created, command } = await settle(t);
  const copy = join(stage.folder, "copy.db");
  done(await command("backup", copy));
  await clew.terminate();
  const elsewhere = { ...settings, DATA_DIR: join(stage.folder, "elsewhere") };
  await mkdir(elsewhere.DATA_DIR);
  await copyFile(join(settings.DATA_DIR ?? "", "encryption.key"), join(elsewhere.DATA_DIR, "encryption.key"));
  done(await runCommand(elsewhere, "restore", copy));
  const moved = await stage.start(elsewhere);
  assert.ok(await isSignedIn(moved, session));
  assert.equal(await reads(moved, created.token), 200);
  const { body } = await call<ServiceTokenList>(moved.url, "api/tokens/", { token: session.access });
  assert.deepEqual(
    body.items.map(({ id }) => id),
    [created.id],
  );
});

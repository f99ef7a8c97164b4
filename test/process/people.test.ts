import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { AuditTrail } from "@clew/contract";
import { call } from "../support/call.ts";
import { type ClewProcess, freePort, type Settings } from "../support/clew-process.ts";
import { runCommand } from "../support/command-line.ts";
import { markdownPage, writeFiles } from "../support/markdown-folder.ts";
import { settingsFor, startNotion } from "../support/notion.ts";
import { recordTo } from "../support/recording-proxy.ts";
import { createToken, type SignedIn, signIn, waitForSync } from "../support/session.ts";
import { stageOf } from "../support/stage.ts";

/** A Clew with an external provider, two signed-in people, and the commands of the command line. */
async function settle(t: TestContext, lists: Settings) {
  const stage = await stageOf(t);
  const pages = join(stage.folder, "pages");
  await writeFiles(pages, { "one.md": markdownPage("One", "A page.") });
  const notion = await startNotion(stage, pages);
  const recorder = await recordTo(notion.url);
  stage.defer(() => recorder.close());
  const common = {
    PORT: String(await freePort()),
    DATA_DIR: join(stage.folder, "data"),
    ...settingsFor(notion, recorder.url),
  };
  const clew = await stage.start({ ...common, ...lists });
  const arrive = async (person: string) => {
    const session = await signIn(clew.url, { person });
    const [workspace] = await waitForSync(clew.url, session);
    assert.ok(workspace);
    return { session, workspace, token: (await createToken(clew.url, session, "agent")).token };
  };
  const [librarian, visitor] = [await arrive("Librarian"), await arrive("Visitor")];
  return {
    clew,
    librarian,
    visitor,
    recorder,
    restart: async (running: ClewProcess, settings: Settings) => {
      await running.terminate();
      return stage.start({ ...common, ...settings });
    },
    /** Runs a command that must succeed, and returns its output. */
    command: async (...words: string[]) => {
      const { code, output, errors } = await runCommand({ ...common, ...lists }, ...words);
      assert.equal(code, 0, errors);
      return output;
    },
    run: (...words: string[]) => runCommand({ ...common, ...lists }, ...words),
    graphFiles: async () =>
      (await readdir(join(common.DATA_DIR, "graphs"), { recursive: true }).catch(() => [])).filter((name) =>
        name.endsWith(".graph"),
      ),
  };
}

const reads = async (clew: ClewProcess, token: string) =>
  (await call(clew.url, "api/v1/search/?q=one", { token })).status;

const validates = async (clew: ClewProcess, { access }: SignedIn) =>
  (await call(clew.url, "api/auth/validate/", { token: access })).status;

interface ListedUser {
  readonly id: string;
  readonly name: string;
  readonly allowed: boolean;
  readonly sessions: number;
  readonly tokens: number;
}

interface ListedConnection {
  readonly id: number;
  readonly owner: string;
  readonly last_synced_at: string | null;
}

async function idOf(command: (...words: string[]) => Promise<string>, name: string): Promise<string> {
  const users: ListedUser[] = JSON.parse(await command("users", "list", "--json"));
  return users.find((user) => user.name === name)?.id ?? assert.fail(`no user ${name}`);
}

test("SIGN-10: a person removed from the list has no access after a restart, and has it again once back on the list", async (t) => {
  const { clew, librarian, visitor, restart } = await settle(t, { ALLOWED_EMAILS: "@workspace.example" });
  const off = await restart(clew, { ALLOWED_EMAILS: "visitor@workspace.example" });
  const { access, refresh } = librarian.session;
  const body = { name: "mine", scopes: ["graph:read"], workspace_ids: [librarian.workspace.id] };
  const uses = [
    call(off.url, "api/auth/validate/", { token: access }),
    call(off.url, "api/auth/refresh/", { method: "POST", body: { refresh } }),
    call(off.url, "api/tokens/", { method: "POST", token: access, body }),
    call(off.url, `api/provider-graph/workspaces/${librarian.workspace.id}/sync/`, {
      method: "POST",
      token: access,
    }),
    call(off.url, "api/v1/search/?q=one", { token: librarian.token }),
  ];
  for (const { status, body } of await Promise.all(uses))
    assert.deepEqual([status, body.code], [401, "token_revoked"]);
  assert.equal(await reads(off, visitor.token), 200);
  assert.equal(await validates(off, visitor.session), 200);

  const back = await restart(off, { ALLOWED_WORKSPACES: librarian.workspace.id });
  assert.equal(await reads(back, librarian.token), 200);
  assert.equal(
    (await call(back.url, "api/auth/refresh/", { method: "POST", body: { refresh } })).status,
    200,
  );
});

test("OPS-7: users list shows everyone and marks those off the lists; sign-out ends all sessions of a user at once", async (t) => {
  const { clew, librarian, visitor, command, run } = await settle(t, {
    ALLOWED_EMAILS: "@workspace.example",
  });
  const again = await signIn(clew.url, { person: "Librarian" });
  const id = await idOf(command, "Librarian");
  const table = await command("users", "list");
  assert.match(
    table,
    new RegExp(`^${id} +Librarian +librarian@workspace\\.example +notion +yes +2 +1 +1 +\\d+ B +20`, "m"),
  );

  assert.match(await command("users", "sign-out", id), /^Librarian is signed out: 2 sessions ended\./);
  for (const session of [librarian.session, again]) assert.equal(await validates(clew, session), 401);
  assert.equal(await validates(clew, visitor.session), 200);
  assert.equal(await reads(clew, librarian.token), 200);
  const later = await signIn(clew.url, { person: "Librarian" });
  const { body } = await call<AuditTrail>(clew.url, "api/audit/", { token: later.access });
  const ends = body.items.filter(({ event }) => event === "signed_out");
  assert.deepEqual(
    ends.map(({ reason, address }) => [reason, address]),
    [
      ["operator", null],
      ["operator", null],
    ],
  );

  for (const words of [
    ["sign-out", "nobody"],
    ["remove", "999"],
  ]) {
    const { code, errors } = await run("users", ...words);
    assert.equal(code, 1);
    assert.match(errors, /^There is no user \w+\. `clew users list` shows the ids\.\n$/);
  }
});

test("OPS-7: sessions end --all signs everyone out at once, and requires --all", async (t) => {
  const { clew, librarian, visitor, command, run } = await settle(t, {});
  assert.equal((await run("sessions", "end")).code, 2);
  assert.match(
    await command("sessions", "end", "--all"),
    /^2 sessions ended\. All users have to sign in again\./,
  );
  for (const { session, token } of [librarian, visitor]) {
    assert.equal(await validates(clew, session), 401);
    assert.equal(await reads(clew, token), 200);
  }
  assert.match(await command("sessions", "end", "--all"), /^0 sessions ended/);
});

test("OPS-7, SESS-9: users remove deletes the account at once, and Clew revokes its grant at the provider", async (t) => {
  const { clew, librarian, visitor, command, run, recorder, graphFiles } = await settle(t, {});
  const id = await idOf(command, "Librarian");
  while ((await graphFiles()).length < 2) await sleep(50);
  const removed = await run("users", "remove", id);
  assert.match(removed.output, /^The account of Librarian is removed/);
  const { security, event, actor, command: words } = JSON.parse(removed.errors);
  assert.deepEqual(
    [security, event, actor, words],
    [true, "operator_command", "operator", `users remove ${id}`],
  );
  assert.equal(await validates(clew, librarian.session), 401);
  assert.equal(await reads(clew, librarian.token), 401);
  assert.equal(await reads(clew, visitor.token), 200);
  assert.equal((await graphFiles()).length, 1);
  const users: ListedUser[] = JSON.parse(await command("users", "list", "--json"));
  assert.deepEqual(
    users.map(({ name }) => name),
    ["Visitor"],
  );
  const isRevoked = () =>
    recorder.exchanges.some(({ path, status }) => path === "/v1/oauth/revoke" && status === 200);
  while (!isRevoked()) await sleep(50);
});

test("OPS-7, GRAPH-15: a running Clew takes up connections sync, and refuses a workspace after connections disconnect", async (t) => {
  const { clew, librarian, command, run } = await settle(t, {});
  const connectionOf = async (): Promise<ListedConnection> => {
    const owner = await idOf(command, "Librarian");
    const connections: ListedConnection[] = JSON.parse(await command("connections", "list", "--json"));
    return connections.find((each) => each.owner === owner) ?? assert.fail("no connection");
  };
  const before = await connectionOf();
  await command("connections", "sync", String(before.id), "--full");
  while ((await connectionOf()).last_synced_at === before.last_synced_at) await sleep(100);

  const disconnected = await run("connections", "disconnect", String(before.id));
  assert.equal(JSON.parse(disconnected.errors).command, `connections disconnect ${before.id}`);
  assert.equal(await reads(clew, librarian.token), 401);
  const { code, errors } = await run("connections", "sync", String(before.id));
  assert.deepEqual([code, /^There is no connection \d+\./.test(errors)], [1, true], errors);
});

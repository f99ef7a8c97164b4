import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { SignInStatus } from "@clew/contract";
import { call } from "../support/call.ts";
import { type ClewProcess, freePort, type Settings, spawnClew } from "../support/clew-process.ts";
import { runCommand } from "../support/command-line.ts";
import { writeFiles } from "../support/markdown-folder.ts";
import { clientOf, createToken, signIn, waitForSync } from "../support/session.ts";
import { stageOf } from "../support/stage.ts";

/** Two folders, and settings without any source. */
async function settle(t: TestContext) {
  const stage = await stageOf(t);
  const [vault, wiki] = [join(stage.folder, "My Vault"), join(stage.folder, "wiki")];
  await writeFiles(vault, {
    "Start.md": "# Start\n\nThe thread leads to [[Labyrinth]].\n",
    "Labyrinth.md": "# Labyrinth\n\nNobody finds the quokka here.\n",
  });
  await writeFiles(wiki, { "Home.md": "# Home\n\nA page of the wiki about numbats.\n" });
  const settings: Settings = {
    PORT: String(await freePort()),
    DATA_DIR: join(stage.folder, "data"),
    SYNC_INTERVAL: "0",
  };
  return { stage, vault, wiki, settings };
}

const titlesOf = async (clew: ClewProcess, token: string, q: string) => {
  const { body } = await call<{ items: { node: { title: string } }[] }>(clew.url, `api/v1/text/?q=${q}`, {
    token,
  });
  return body.items.map(({ node }) => node.title);
};

/** Waits until a search has an answer: texts are indexed a moment after they are read. */
async function found(clew: ClewProcess, token: string, q: string): Promise<readonly string[]> {
  for (;;) {
    const titles = await titlesOf(clew, token, q);
    if (titles.length > 0) return titles;
    await sleep(50);
  }
}

const statusOf = async (clew: ClewProcess) =>
  (await call<SignInStatus>(clew.url, "api/integrations/auth/provider/status")).body;

test("SRC-2: from `clew serve PATH` to an answer over V1: one press signs in, and an edit shows by itself", async (t) => {
  const { stage, vault, wiki, settings } = await settle(t);
  const clew = await spawnClew(settings, { folders: [vault, wiki] });
  stage.defer(() => clew.kill());
  await clew.ready();
  const { sources } = await statusOf(clew);
  assert.deepEqual(sources, [
    { provider: "my-vault", name: "My Vault", kind: "folder", asks_for_code: false },
    { provider: "wiki", name: "wiki", kind: "folder", asks_for_code: false },
  ]);
  const session = await signIn(clew.url);
  await waitForSync(clew.url, session);
  const { token } = await createToken(clew.url, session, "agent");
  assert.deepEqual(await found(clew, token, "quokka"), ["Labyrinth"]);
  await writeFile(join(vault, "Garden.md"), "# Garden\n\nHere is a wombat.\n");
  assert.deepEqual(await found(clew, token, "wombat"), ["Garden"]);
  assert.deepEqual(await titlesOf(clew, token, "numbats"), [], "the other folder was not opened");
  assert.equal(
    (await call(clew.url, "api/my-vault-graph/workspaces/", { token: session.access })).status,
    200,
  );
  assert.equal((await call(clew.url, "api/folder-graph/workspaces/", { token: session.access })).status, 200);
  assert.equal((await call(clew.url, "api/notion-graph/workspaces/", { token: session.access })).status, 404);
  assert(!clew.output().includes("Sign-in code"));
});

test("SIGN-12, SRC-2: while other machines reach Clew a folder asks for the code, and its person stays", async (t) => {
  const { stage, vault, settings } = await settle(t);
  const folders = { ...settings, FOLDERS: `my-vault=${vault}` };
  const before = await stage.start(folders);
  const session = await signIn(before.url);
  await waitForSync(before.url, session);
  const { id } = await clientOf(before.url, session).getMe();
  const { token } = await createToken(before.url, session, "agent");
  await before.terminate();

  // The same folder, as the setting of earlier versions names it.
  const exposed = { ...settings, HOST: "0.0.0.0", WORKSPACE_DIR: vault };
  const clew = await stage.start(exposed);
  assert.match(clew.output(), /Sign-in code, valid once within 10 minutes: /);
  assert.deepEqual(
    (await statusOf(clew)).sources.map((source) => [source.provider, source.asks_for_code]),
    [["my-vault", true]],
  );
  assert.deepEqual(await found(clew, token, "quokka"), ["Labyrinth"], "the token stays");
  const begun = await fetch(new URL("api/integrations/auth/my-vault/", clew.url), { redirect: "manual" });
  const page = new URL(begun.headers.get("location") ?? "");
  assert.equal(page.pathname, "/api/integrations/auth/provider/code");
  const cookie = begun.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const enter = async (code: string) => {
    const body = new URLSearchParams({ state: page.searchParams.get("state") ?? "", code });
    const answer = await fetch(page.origin + page.pathname, {
      ...{ method: "POST", body, redirect: "manual" as const },
      headers: { cookie },
    });
    return new URL(answer.headers.get("location") ?? "");
  };
  assert.equal((await enter("wrong")).searchParams.get("again"), "1");
  const said = await runCommand(exposed, "sign-in-code");
  assert.equal(said.code, 0, said.errors);
  const arrived = await enter(said.output.split("\n")[0] ?? "");
  const access = new URLSearchParams(arrived.hash.slice(1)).get("access_token") ?? "";
  assert.equal((await clientOf(clew.url, { access }).getMe()).id, id);
});

test("SRC-2: an edit ends no list of recent changes that a client pages through, and shows soon after", async (t) => {
  const { stage, vault, settings } = await settle(t);
  const pages = Array.from({ length: 20 }, (_, n) => [`Page ${n}.md`, `# Page ${n}\n\nSome text.\n`]);
  await writeFiles(vault, Object.fromEntries(pages));
  const clew = await spawnClew(settings, { folders: [vault] });
  stage.defer(() => clew.kill());
  await clew.ready();
  const session = await signIn(clew.url);
  await waitForSync(clew.url, session);
  const { token } = await createToken(clew.url, session, "agent");
  await found(clew, token, "quokka");

  const listed = (query: string) =>
    call<{ next_cursor: string | null }>(clew.url, `api/v1/recent/${query}`, { token });
  let cursor = "";
  for (let page = 0; page < 8; page += 1) {
    const { status, body } = await listed(`?limit=1${cursor}`);
    assert.equal(status, 200, `page ${page}`);
    assert(body.next_cursor !== null);
    cursor = `&cursor=${body.next_cursor}`;
    if (page === 0) await writeFile(join(vault, "Start.md"), "# Start\n\nA numbat was here.\n");
    // Far longer, in all, than an edit takes that nothing holds up.
    await sleep(200);
  }
  assert.deepEqual(await found(clew, token, "numbat"), ["Start"]);
  assert.equal((await listed(`?limit=1${cursor}`)).status, 410);
});

test("SRC-2: folders that cannot be served are refused with one line each", async (t) => {
  const { stage, vault, settings } = await settle(t);
  const [missing, file] = [join(stage.folder, "nowhere"), join(vault, "Start.md")];
  const clew = await stage.spawn({ ...settings, FOLDERS: `a=${missing}, b=${file}` });
  assert.notEqual(await clew.ended, 0);
  const lines = clew
    .output()
    .split("\n")
    .filter((line) => line.startsWith("  - "));
  assert.deepEqual(lines, [
    `  - the folder a is at ${missing}, which does not exist`,
    `  - the folder b is at ${file}, which is a file`,
  ]);
});

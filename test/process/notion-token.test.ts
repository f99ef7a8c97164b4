import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { SignInStatus } from "@clew/contract";
import { sampleDirectory } from "@clew/stand-in";
import { call } from "../support/call.ts";
import type { ClewProcess, Settings } from "../support/clew-process.ts";
import { runCommand } from "../support/command-line.ts";
import { filesIn } from "../support/files-in.ts";
import { makeNotionToken, startNotion } from "../support/notion.ts";
import { readWorkspaces, type SignedIn, waitForSync } from "../support/session.ts";
import { writeSmallWorkspace } from "../support/small-workspace.ts";
import { type Stage, stageOf } from "../support/stage.ts";

/** A Clew with a token for the small workspace, or for the pages of a folder. */
async function scene(t: TestContext, folder?: string) {
  const stage = await stageOf(t);
  // The whole sample may be read twice without a wait for the provider's limit.
  const notion = await startNotion(stage, folder ?? (await writeSmallWorkspace(stage)), { rateLimit: 600 });
  const token = await makeNotionToken(notion);
  const settings = { NOTION_TOKEN: token, NOTION_API_URL: notion.url };
  return { stage, notion, token, settings, clew: await stage.start(settings) };
}

/** The sign-in code that Clew printed. */
function printedCode(clew: ClewProcess): string {
  const line = clew
    .output()
    .split("\n")
    .find((each) => each.startsWith("Sign-in code"));
  return line?.split(": ")[1] ?? assert.fail("no code was printed");
}

/** A code from the command line, while Clew is running. */
async function codeOf(stage: Stage, settings: Settings): Promise<string> {
  const env = { ...settings, DATA_DIR: join(stage.folder, "data") };
  const { code, output, errors } = await runCommand(env, "sign-in-code");
  assert.deepEqual([code, errors], [0, ""]);
  return output.split("\n")[0] ?? "";
}

/** Signs in as a browser does: opens the page that asks for a code, and submits its form. */
async function signIn(clew: URL, code: string): Promise<SignedIn> {
  const begun = await fetch(new URL("api/integrations/auth/provider/", clew), { redirect: "manual" });
  const cookie = begun.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const page = new URL(begun.headers.get("location") ?? "");
  const html = await (await fetch(page)).text();
  const base = new URL(/<base href="([^"]+)"/.exec(html)?.[1] ?? "", page);
  const action = new URL(/<form [^>]*action="([^"]+)"/.exec(html)?.[1] ?? "", base);
  const state = /name="state" value="([^"]+)"/.exec(html)?.[1] ?? "";
  const finished = await fetch(action, {
    method: "POST",
    redirect: "manual",
    headers: { cookie },
    body: new URLSearchParams({ state, code }),
  });
  const [, fragment] = (finished.headers.get("location") ?? "").split("#");
  const { access_token: access, refresh_token: refresh } = Object.fromEntries(new URLSearchParams(fragment));
  assert(access && refresh, "the sign-in failed");
  return { access, refresh };
}

test("SIGN-12: with NOTION_TOKEN and the code from the terminal, a person reads their workspace", async (t) => {
  const { stage, token, settings, clew } = await scene(t, sampleDirectory);
  const status = await call<SignInStatus>(clew.url, "api/integrations/auth/provider/status");
  assert.deepEqual([status.body.configured, status.body.stand_in], [true, false]);
  const code = printedCode(clew);
  const session = await signIn(clew.url, code);
  const [workspace] = await waitForSync(clew.url, session);
  assert.deepEqual([workspace?.name, workspace?.sync.state], ["Night Sky Field Guide", "idle"]);
  assert((workspace?.nodes ?? 0) > 100);
  await assert.rejects(signIn(clew.url, code), /failed/, "a code is valid only once");

  const log = clew
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{"));
  assert(log.length > 3 && !log.some((line) => line.includes(code)), "no line of the log contains the code");
  const another = await codeOf(stage, settings);
  await signIn(clew.url, another);
  assert(!clew.output().includes(another));
  assert(!clew.output().includes(token));
  const folder = join(stage.folder, "data");
  for (const [name, bytes] of await filesIn(folder)) {
    for (const secret of [token, code, code.replaceAll("-", ""), another.replaceAll("-", "")])
      assert(!bytes.includes(secret), name);
  }
});

test("SIGN-12: disconnecting lasts until someone connects again, and leaves the token valid", async (t) => {
  const { stage, notion, token, settings, clew } = await scene(t);
  const session = await signIn(clew.url, printedCode(clew));
  const [workspace] = await waitForSync(clew.url, session);
  const path = `api/provider-graph/workspaces/${workspace?.id}/`;
  assert.equal((await call(clew.url, path, { method: "DELETE", token: session.access })).status, 204);
  await clew.terminate();

  const again = await stage.start({ ...settings, PORT: String(clew.port), SYNC_INTERVAL: "1s" });
  assert.deepEqual(await readWorkspaces(again.url, session), []);
  assert.deepEqual(
    Object.keys(notion.calls()).filter((each) => each.includes("/oauth/revoke")),
    [],
  );
  const headers = { authorization: `Bearer ${token}`, "notion-version": "2026-03-11" };
  assert.equal((await fetch(`${notion.url}/v1/users/me`, { headers })).status, 200);
  const connected = await signIn(again.url, await codeOf(stage, settings));
  assert.equal((await waitForSync(again.url, connected))[0]?.id, workspace?.id);
});

test("SIGN-12: codes exist only with NOTION_TOKEN, which cannot be combined with an OAuth app", async (t) => {
  const stage = await stageOf(t);
  const demo = await stage.start({ WORKSPACE_DIR: await writeSmallWorkspace(stage) });
  assert(!demo.output().includes("Sign-in code"));
  const refused = await runCommand({ DATA_DIR: join(stage.folder, "data") }, "sign-in-code");
  assert.equal(refused.code, 1);
  assert.match(refused.errors, /only if NOTION_TOKEN is set/);
  const both = await stage.spawn({ NOTION_TOKEN: "ntn_x", NOTION_CLIENT_ID: "i", NOTION_CLIENT_SECRET: "s" });
  await assert.rejects(both.ready(), /NOTION_TOKEN cannot be combined with NOTION_CLIENT_ID/);
});

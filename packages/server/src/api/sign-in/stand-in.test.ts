import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { giveConsent, startTestStandIn, type TestStandIn } from "@clew/stand-in/testing";
import { onLists } from "../../model/testing/allow-lists.ts";
import { connectionsOf, sealedGrant } from "../../store/queries/connections.ts";
import { findUser } from "../../store/queries/users.ts";
import { scratchFolder } from "../../store/testing/scratch.ts";
import type { Browser } from "./testing/browser.ts";
import { clientId, clientSecret, type SignInServer, serveSignIn } from "./testing/sign-in-server.ts";

const base = "http://localhost:8420/api/integrations/auth/provider";

/** Clew with its own stand-in, which serves a folder of two people. */
async function serve(
  t: TestContext,
  allowedEmails?: string[],
): Promise<SignInServer & { standIn: TestStandIn }> {
  const directory = join(await scratchFolder(t), "workspace");
  await mkdir(directory);
  await writeFile(join(directory, "start.md"), "# Start\n");
  await writeFile(
    join(directory, "_people.yml"),
    "- {name: Reader, email: reader@example.com}\n- {name: Writer, email: writer@example.com}\n",
  );
  const standIn = await startTestStandIn({
    directory,
    clientId,
    clientSecret,
    redirectUris: [`${base}/callback`],
  });
  t.after(() => standIn.close());
  const server = await serveSignIn(t, {
    slug: "stand-in",
    apiUrl: standIn.url,
    ...(allowedEmails && { allowed: onLists({ workspaces: [], emails: allowedEmails }) }),
  });
  return { ...server, standIn };
}

/** Signs in through the consent screen. */
async function signIn(tab: Browser, choice: Parameters<typeof giveConsent>[1] = {}) {
  const { location } = await tab.open("/");
  const callback = await giveConsent(location, choice);
  assert.ok(callback.startsWith(`${base}/callback?`), callback);
  return tab.open(callback.slice(base.length));
}

test("SIGN-3: a person who consents at the stand-in is signed in with a working grant", async (t) => {
  const { fixture, standIn, browser } = await serve(t);
  const { fragment } = await signIn(browser(), { person: "Writer" });
  const { userId } = await fixture.sessions.verifyAccess(fragment.access_token ?? "");
  const user = await findUser(fixture.database.read, userId);
  assert.deepEqual([user?.provider, user?.name, user?.email], ["stand-in", "Writer", "writer@example.com"]);
  const [connection] = await connectionsOf(fixture.database.read, userId);
  assert.equal(connection?.workspaceId, standIn.workspace().id);
  const sealed = await sealedGrant(fixture.database.read, connection?.id ?? 0);
  assert.ok(sealed);
  const opened = fixture.secrets.open(sealed.accessToken, `grant:${userId}:${connection?.workspaceId}`);
  assert.equal(await searchStatus(standIn, Buffer.from(opened).toString()), 200);
});

test("SIGN-4: a person who cancels at the stand-in sees why the sign-in failed", async (t) => {
  const { browser } = await serve(t);
  const { status, fragment } = await signIn(browser(), { decision: "cancel" });
  assert.deepEqual([status, fragment.error], [302, "access_denied"]);
});

test("SIGN-10: of two people only the one on the list can sign in", async (t) => {
  const { browser } = await serve(t, ["writer@example.com"]);
  assert.equal((await signIn(browser(), { person: "Reader" })).fragment.error, "not_allowed");
  assert.ok((await signIn(browser(), { person: "Writer" })).fragment.access_token);
});

async function searchStatus({ url }: TestStandIn, token: string): Promise<number> {
  const headers = {
    authorization: `Bearer ${token}`,
    "notion-version": "2026-03-11",
    "content-type": "application/json",
  };
  return (await fetch(`${url}/v1/search`, { method: "POST", headers, body: "{}" })).status;
}

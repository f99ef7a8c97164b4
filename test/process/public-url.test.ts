import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Me } from "@clew/contract";
import { call } from "../support/call.ts";
import { type ClewProcess, freePort } from "../support/clew-process.ts";
import { createToken, signIn } from "../support/session.ts";
import { writeSmallWorkspace } from "../support/small-workspace.ts";
import { openStage } from "../support/stage.ts";

const stage = await openStage();
let publicUrl: string;
let clew: ClewProcess;

before(async () => {
  const port = await freePort();
  publicUrl = `http://localhost:${port}/tools/clew`;
  const settings = { PORT: String(port), PUBLIC_URL: publicUrl };
  clew = await stage.start({ ...settings, WORKSPACE_DIR: await writeSmallWorkspace(stage) });
});
after(() => stage.close());

test("OPS-2: everything is served below the path of PUBLIC_URL, and only health checks outside of it", async () => {
  const session = await signIn(clew.url);
  assert.equal(session.dashboard, `${publicUrl}/dashboard`);
  assert(session.callback.href.startsWith(`${publicUrl}/api/integrations/auth/provider/callback?`));
  const cookiePath = /; path=([^;]+)/i.exec(session.setCookie)?.[1] ?? "";
  assert(session.callback.pathname.startsWith(cookiePath), "the browser sends the cookie");

  const me = await call<Me>(clew.url, "api/auth/me/", { token: session.access });
  assert.equal(me.status, 200);
  assert.equal(me.body.workspaces.length, 1);
  const { token } = await createToken(clew.url, session, "below a path");
  assert.equal((await call(clew.url, "api/v1/workspaces/", { token })).status, 200);
  assert.equal((await call(clew.url, "api/v1/openapi.json")).status, 200);

  const root = new URL("/", publicUrl);
  for (const path of ["api/auth/me/", "api/v1/workspaces/", "dashboard"]) {
    assert.equal((await call(root, path, { token })).status, 404, path);
  }
  for (const base of [root, clew.url]) assert.equal((await call(base, "healthz")).status, 200);
});

test("OPS-2: the dashboard below a path loads its files from there", async () => {
  for (const address of [`${publicUrl}/dashboard`, `${publicUrl}/dashboard/`]) {
    const page = await fetch(address);
    assert.equal(page.status, 200);
    assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
    const html = await page.text();
    const base = new URL(/<base href="([^"]+)"/.exec(html)?.[1] ?? "", address);
    const files = [...html.matchAll(/(?:src|href)="([^"#]+\.(?:js|css|svg))"/g)].map(([, file = ""]) => file);
    assert(files.length > 0);
    for (const file of files) {
      const found = new URL(file, base);
      assert(found.href.startsWith(clew.url.href), found.href);
      assert.equal((await fetch(found)).status, 200, found.href);
    }
  }
});

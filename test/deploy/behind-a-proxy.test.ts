import assert from "node:assert/strict";
import { get } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { AuditTrail, Changes } from "@clew/contract";
import { call } from "../support/call.ts";
import { freePort } from "../support/clew-process.ts";
import { runCommand } from "../support/command-line.ts";
import { markdownPage, writeFiles } from "../support/markdown-folder.ts";
import { settingsFor, startNotion } from "../support/notion.ts";
import { senderTo } from "../support/raw-request.ts";
import { createToken, readWorkspaces, type SignIn, signIn, waitForSync } from "../support/session.ts";
import { openStage, stageOf } from "../support/stage.ts";
import { proxyPrograms, startProxy } from "./proxies.ts";

/* Three instances on one database behind each proxy: what reaches clients, and what the proxy's log has. */

const stage = await openStage();
const publicPort = await freePort();
const installed = proxyPrograms.filter(({ executable }) => executable !== null);
const instances: string[] = [];

before(async () => {
  if (installed.length === 0) return;
  const pages = join(stage.folder, "pages");
  await writeFiles(pages, {
    "one.md": markdownPage("One", "[Two](two.md)"),
    "two.md": markdownPage("Two", ""),
  });
  const notion = await startNotion(stage, pages);
  const settings = {
    ...settingsFor(notion),
    PUBLIC_URL: `http://localhost:${publicPort}`,
    TRUST_PROXY: "127.0.0.1",
  };
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  await Promise.all(ports.map((port) => stage.start({ ...settings, PORT: String(port) })));
  instances.push(...ports.map((port) => `127.0.0.1:${port}`));
});
after(() => stage.close());

/** The events that a stream has sent after a while. */
async function eventsOf(url: URL, { access }: SignIn): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers: { authorization: `Bearer ${access}` } }, (response) => {
      response.setEncoding("utf8").once("data", (text: string) => {
        request.destroy();
        resolve(text);
      });
    });
    request.on("error", reject);
  });
}

for (const program of proxyPrograms) {
  const { name, executable, package: packageName } = program;
  const skip = executable === null && `${name} is not installed: on Debian, apt-get install ${packageName}`;

  test(`OPS-10: clew doctor --public finds nothing wrong with ${name} as deploy/ sets it up`, {
    skip,
  }, async (t) => {
    await startProxy(await stageOf(t), program, { port: publicPort, instances });
    const settings = { PUBLIC_URL: `http://localhost:${publicPort}` };
    const { code, output, errors } = await runCommand(settings, "doctor", "--public");
    assert.equal(code, 0, output + errors);
    assert.doesNotMatch(output, /^failed/m);
    assert.match(output, /^ok +event streams: events arrive at once$/m);
  });

  test(`OPS-8: three instances behind ${name} are one service, and its log has no secrets`, {
    skip,
  }, async (t) => {
    const proxy = await startProxy(await stageOf(t), program, { port: publicPort, instances });
    const base = new URL(`http://localhost:${publicPort}/`);
    const session = await signIn(base);
    const [workspace] = await waitForSync(base, session);
    const { id, token } = await createToken(base, session, "behind a proxy");

    assert.equal((await call(base, "api/v1/workspaces/", { token })).status, 200);
    const now = await call<Changes>(base, "api/v1/changes/?cursor=now", { token });
    const begun = performance.now();
    const cursor = encodeURIComponent(now.body.next_cursor);
    const waited = await call<Changes>(base, `api/v1/changes/?cursor=${cursor}&wait=2`, { token });
    assert.deepEqual([waited.status, waited.body.items], [200, []]);
    assert(performance.now() - begun > 1900);

    const events = new URL(`api/provider-graph/workspaces/${workspace?.id}/events`, base);
    assert.match(await eventsOf(events, session), /^event: progress$/m);

    const tools = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const send = senderTo(proxy.url);
    const headers = {
      host: base.host,
      authorization: `Bearer ${token}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    };
    const listed = await send({ method: "POST", path: "/api/v1/mcp/", headers, body: JSON.stringify(tools) });
    assert.equal(listed.status, 200, listed.text);
    const exported = await send({
      method: "GET",
      path: "/api/v1/export/",
      headers: { ...headers, accept: "*/*" },
    });
    assert.match(exported.text.trimEnd().split("\n").at(-1) ?? "", /^\{"end":/);

    const revoked = await call(base, `api/tokens/${id}/`, { method: "DELETE", token: session.access });
    assert.equal(revoked.status, 204);
    assert.equal((await call(base, "api/v1/workspaces/", { token })).status, 401);

    const output = await proxy.outputWith(`/api/tokens/${id}/`);
    const state = session.callback.searchParams;
    const { access, refresh } = session;
    for (const secret of [access, refresh, token, state.get("code"), state.get("state")]) {
      assert(secret !== null && secret.length > 8);
      assert(!output.includes(secret), `the log contains ${secret}`);
    }
    assert.match(output, /callback/);
  });

  test(`LIM-1: Clew behind ${name} knows the address of the client, whatever it claims`, {
    skip,
  }, async (t) => {
    const proxy = await startProxy(await stageOf(t), program, { port: publicPort, instances });
    const base = new URL(`http://localhost:${publicPort}/`);
    const session = await signIn(base);
    const [workspace] = await readWorkspaces(base, session);
    const answer = await senderTo(
      proxy.url,
      "127.0.0.5",
    )({
      method: "POST",
      path: "/api/tokens/",
      headers: {
        host: base.host,
        authorization: `Bearer ${session.access}`,
        "content-type": "application/json",
        "x-forwarded-for": "203.0.113.9",
      },
      body: JSON.stringify({ name: "from afar", scopes: ["graph:search"], workspace_ids: [workspace?.id] }),
    });
    assert.equal(answer.status, 201, answer.text);
    const { body } = await call<AuditTrail>(base, "api/audit/", { token: session.access });
    const created = body.items.find(({ event }) => event === "token_created");
    assert.equal(created?.address, "127.0.0.5");
    const revocation = `api/tokens/${answer.body.id}/`;
    await call(base, revocation, { method: "DELETE", token: session.access });
  });

  test(`LIM-3: behind ${name}, Clew's own answers to large requests arrive`, { skip }, async (t) => {
    const proxy = await startProxy(await stageOf(t), program, { port: publicPort, instances });
    const send = senderTo(proxy.url);
    const host = `localhost:${publicPort}`;
    const answers = await Promise.all([
      send({ method: "GET", path: `/api/v1/search/?q=${"x".repeat(9000)}`, headers: { host } }),
      send({ method: "GET", path: "/api/v1/search/", headers: { host, "x-large": "x".repeat(17_000) } }),
      send({
        method: "POST",
        path: "/api/auth/refresh/",
        headers: { host, "content-type": "application/json" },
        body: JSON.stringify({ refresh: "x".repeat(70_000) }),
      }),
    ]);
    assert.deepEqual(
      answers.map(({ status, headers, body }) => [status, headers["content-type"], body?.code]),
      [
        [414, "application/problem+json", "url_too_long"],
        [431, "application/problem+json", "headers_too_large"],
        [413, "application/problem+json", "body_too_large"],
      ],
    );
  });
}

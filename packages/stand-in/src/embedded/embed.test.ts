import assert from "node:assert/strict";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import type { Worker } from "node:worker_threads";
import { idOf } from "@clew/folder";
import { type Files, writeFolder } from "@clew/folder/testing";
import { type EmbeddedSite, embedStandIn } from "./embed.ts";

async function embed(t: TestContext, directory: string, log: unknown[] = [], clock = Date.now) {
  const write = (level: string) => (details: object, message: string) =>
    log.push({ level, ...details, message });
  const standIn = await embedStandIn({
    directory,
    siteUrl: "http://localhost:8420/demo",
    clientId: "clew",
    clientSecret: "secret",
    stateFile: null,
    clock,
    log: { warn: write("warn"), error: write("error") },
  });
  t.after(() => standIn.close());
  return standIn;
}

const embedFiles = async (t: TestContext, files: Files, log?: unknown[], clock?: () => number) =>
  embed(t, await writeFolder(t, files), log, clock);

const query = {
  client_id: "clew",
  response_type: "code",
  owner: "user",
  redirect_uri: "http://localhost:8420/callback",
  state: "s",
};

/** Answers the consent screen. Consent is that of its first person. */
async function decide(site: EmbeddedSite, decision: "allow" | "cancel") {
  const { body } = await site.consentScreen(query);
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? "";
  const form = { request: hidden("request"), person: hidden("person"), decision };
  return site.submitConsent(new URLSearchParams(form));
}

/** The `Cookie` header of a browser that has signed in. */
async function signIn(site: EmbeddedSite): Promise<string> {
  const { headers } = await decide(site, "allow");
  return headers["set-cookie"]?.split(";")[0] ?? "";
}

test("SIGN-11: the consent screen, the pages and the API of an embedded stand-in answer from its thread", async (t) => {
  const { site, fetch } = await embedFiles(t, { "a.md": "# Alpha\n\nWords" }, [], () => Date.UTC(2026, 0, 1));
  const page = await site.page(idOf("page", "a.md"), await signIn(site));
  assert.equal(page.status, 200);
  assert.match(page.body, /<h1>Alpha<\/h1>[\s\S]*Words/);
  assert.match((await site.style()).headers["content-type"] ?? "", /css/);
  assert.equal((await site.page(idOf("page", "a.md"), undefined)).status, 403);
  const answer = await decide(site, "cancel");
  assert.equal(new URL(answer.headers.location ?? "").searchParams.get("error"), "access_denied");
  const search = await fetch("http://demo.invalid/v1/search", { method: "POST", body: "{}" });
  assert.equal(search.status, 400, "it names no version");
  assert.equal(search.headers.get("date"), "Thu, 01 Jan 2026 00:00:00 GMT", "the clock is the program's");
});

test("SYNC-13: large pages are read, parsed and rendered outside of the program's own thread", async (t) => {
  const links = "Some *words* and [links](b.md) to [[b]].\n\n".repeat(2_000);
  const { site } = await embedFiles(t, { "b.md": "# B", "large.md": links });
  const cookies = await signIn(site);
  const [own, all] = [process.threadCpuUsage(), process.cpuUsage()];
  const { body } = await site.page(idOf("page", "large.md"), cookies);
  assert.ok(body.length > links.length);
  const [ownSince, allSince] = [process.threadCpuUsage(own), process.cpuUsage(all)];
  assert.ok(ownSince.user < allSince.user / 4, `${ownSince.user} of ${allSince.user} µs`);
});

test("OPS-7: what is ignored is logged by the program, and a folder that cannot be read fails the start", async (t) => {
  const log: unknown[] = [];
  await embedFiles(t, { "a.md": "---\n: [\n---\n", "b.canvas": "" }, log);
  assert.deepEqual(
    log.map((line) => Object.entries(line ?? {}).map(([name, value]) => `${name} ${value}`.slice(0, 24))),
    [
      ["level warn", "path ", "reason not read: 1 .canv", "message ignored a part o"],
      ["level warn", "path a.md", "reason ignored the front ", "message ignored a part o"],
    ].map((line) => line.map((word) => word.slice(0, 24))),
  );
  await assert.rejects(embed(t, "/nowhere"), /failed to read the folder \/nowhere: ENOENT/);
});

test("SYNC-13: if the thread ends, the calls that wait fail with its reason, and the next one starts it again", async (t) => {
  const log: unknown[] = [];
  const started: Worker[] = [];
  const onWorker = (worker: Worker) => started.push(worker);
  process.on("worker", onWorker);
  t.after(() => process.off("worker", onWorker));
  const { site } = await embedFiles(t, { "a.md": "Words" }, log);
  const waiting = assert.rejects(site.style(), /thread of the demo workspace has ended/);
  const [worker] = started;
  assert.ok(worker);
  await Promise.all([once(worker, "exit"), worker.terminate(), waiting]);
  assert.match(JSON.stringify(log), /thread of the demo workspace has ended/);
  assert.equal((await site.style()).status, 200);
  assert.equal(started.length, 2);
});

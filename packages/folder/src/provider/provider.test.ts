import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { type TestContext, test } from "node:test";
import type { Worker } from "node:worker_threads";
import { type Change, type ListedNode, type Provider, ProviderError, type SearchEntry } from "@clew/provider";
import { type Files, testProvider, writeFolder } from "../testing/index.ts";
import type { FolderOptions } from "./provider.ts";

async function open(t: TestContext, files: Files, options: Partial<FolderOptions> = {}) {
  const directory = await writeFolder(t, files);
  const { provider, thread } = testProvider(directory, options);
  t.after(() => thread.close());
  return { directory, provider, thread, reader: provider.reader(`folder ${provider.slug}`) };
}

async function listed(list: AsyncIterable<SearchEntry>): Promise<ListedNode[]> {
  const nodes: ListedNode[] = [];
  for await (const entry of list) if (entry.type === "page" || entry.type === "database") nodes.push(entry);
  return nodes;
}

const unavailable = (error: unknown) => error instanceof ProviderError && error.code === "unavailable";

const callback = "http://localhost:8420/callback";

/** Exchanges the code that the address of the sign-in page carries. */
function signIn(provider: Provider, code: string) {
  return provider.exchange({ code, redirectUri: callback, signal: new AbortController().signal });
}

const codeOf = (provider: Provider) =>
  new URL(provider.authorizationUrl({ state: "s", redirectUri: callback })).searchParams.get("code") ?? "";

test("SRC-2: one press opens the workspace of a folder to its one person, whose grant is a name", async (t) => {
  const { provider } = await open(t, {
    "_workspace.yml": "name: My notes\nicon: 🌱\nid: mine\n",
    "a.md": "",
  });
  const grant = await signIn(provider, codeOf(provider));
  assert.deepEqual(
    [grant.accessToken, grant.refreshToken, grant.person.id, grant.workspace.name, grant.workspace.icon],
    ["folder notes", null, "owner", "My notes", "🌱"],
  );
  await provider.revoke(grant.accessToken, new AbortController().signal);
  assert.equal((await listed(provider.reader(grant.accessToken).search())).length, 1);
});

test("SRC-2: a grant is of one workspace, so folders that swap names are not read as each other", async (t) => {
  const { provider } = await open(t, { "a.md": "" }, { slug: "notes", workspaceId: "one" });
  const grant = await signIn(provider, codeOf(provider));
  assert.deepEqual([grant.workspace.id, grant.accessToken], ["one", "folder one"]);
  const { provider: renamed } = await open(t, { "a.md": "" }, { slug: "notes", workspaceId: "two" });
  await assert.rejects(listed(renamed.reader(grant.accessToken).search()), { code: "unauthorized" });
});

test("SRC-2: a code is of one folder, and for ten minutes", async (t) => {
  let now = 0;
  const { provider } = await open(t, { "a.md": "" }, { clock: () => now });
  const { provider: other } = await open(
    t,
    { "a.md": "" },
    { slug: "other", random: () => new Uint8Array(32) },
  );
  const refused = { code: "refused" };
  await assert.rejects(signIn(provider, codeOf(other)), refused);
  const code = codeOf(provider);
  await assert.rejects(signIn(provider, `${code}x`), refused);
  await assert.rejects(signIn(provider, code.replace(/^\d+/, "9$&")), refused);
  now += 599_999;
  await signIn(provider, code);
  now += 1;
  await assert.rejects(signIn(provider, code), refused);
});

test("SIGN-12: where a one-time code is asked for, the address of the page carries none", async (t) => {
  const { provider } = await open(t, { "a.md": "" }, { asksForCode: true });
  assert.equal(codeOf(provider), "");
  assert.equal((await signIn(provider, "the code that Clew has checked")).person.id, "owner");
});

test("SRC-2: the grant of another folder opens nothing", async (t) => {
  const { provider } = await open(t, { "a.md": "" });
  const reader = provider.reader("folder other");
  await assert.rejects(listed(reader.search()), { code: "unauthorized" });
  await assert.rejects(reader.content("00000000-0000-4000-8000-000000000001"), { code: "unauthorized" });
});

test("SRC-2: a root that is away, empty or without pages is a failure, and nothing is called gone", async (t) => {
  const { directory, provider, reader } = await open(t, { "a.md": "# A" });
  const [page] = await listed(reader.search());
  assert.ok(page);
  const away = `${directory}-away`;
  await rename(directory, away);
  const fails = async (reason: string) => {
    await assert.rejects(listed(reader.search()), { code: "unavailable", reason });
    await assert.rejects(reader.page(page.id), unavailable);
    await assert.rejects(reader.content(page.id), unavailable);
  };
  await fails("The folder does not exist.");
  await assert.rejects(signIn(provider, codeOf(provider)), unavailable);
  await mkdir(directory);
  await fails("The folder is empty.");
  await writeFile(path.join(directory, "picture.png"), "");
  await fails("The folder has no Markdown files.");
  await rm(directory, { recursive: true });
  await rename(away, directory);
  assert.equal((await reader.page(page.id)).title, "A");
  assert.equal((await listed(reader.search())).length, 1);
});

test("SRC-2: a folder that is away at first is read once it is there", async (t) => {
  const directory = await writeFolder(t, { "a.md": "" });
  const { provider, thread } = testProvider(path.join(directory, "later"));
  t.after(() => thread.close());
  const reader = provider.reader("folder notes");
  await assert.rejects(listed(reader.search()), unavailable);
  await mkdir(path.join(directory, "later"));
  await writeFile(path.join(directory, "later", "b.md"), "");
  assert.deepEqual(
    (await listed(reader.search())).map(({ title }) => title),
    ["b"],
  );
});

test("SRC-2: the report counts what is not read, and names what is left out", async (t) => {
  const { reader } = await open(t, { "a.md": "---\n: [\n---\n", "b.canvas": "", ".obsidian/app.json": "{}" });
  const report = await reader.report?.();
  assert.deepEqual(report?.dialect, "Obsidian");
  assert.deepEqual(report?.unread, [{ type: ".canvas", count: 1 }]);
  assert.match(report?.named.map(({ path, message }) => `${path}: ${message}`).join() ?? "", /^a\.md: /);
});

test("SRC-3: a page of a checkout has the address of its file at the forge", async (t) => {
  const config = '[remote "origin"]\n\turl = https://github.com/owner/name.git\n';
  const { reader } = await open(t, {
    "a b.md": "",
    ".git/config": config,
    ".git/HEAD": "ref: refs/heads/main\n",
  });
  const [page] = await listed(reader.search());
  assert.equal(page?.url, "https://github.com/owner/name/blob/main/a%20b.md");
});

test("SYNC-1: a long list comes in batches, each page once, as the folder was when the list began", async (t) => {
  const names = Array.from({ length: 1201 }, (_, number) => `page ${number}`);
  const files = Object.fromEntries(names.map((name) => [`${name}.md`, ""]));
  const { directory, reader } = await open(t, files);
  const titles: string[] = [];
  for await (const entry of reader.search()) {
    if (titles.length === 0) {
      await rm(path.join(directory, "page 7.md"));
      assert.equal((await listed(reader.search())).length, 1200);
    }
    if (entry.type === "page") titles.push(entry.title);
  }
  assert.deepEqual(titles.toSorted(), names.toSorted());
  for await (const _ of reader.search({ few: true })) break;
});

/** Collects changes, and waits for one. */
function changesOf(provider: Provider) {
  const changes: Change[] = [];
  let tell = () => {};
  const watching = provider.watch?.((change) => {
    changes.push(change);
    tell();
  });
  assert.ok(watching);
  const until = async (isWanted: (change: Change) => boolean) => {
    while (!changes.some(isWanted)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      tell = resolve;
      await promise;
    }
    changes.length = 0;
  };
  return { watching, until, changes };
}

/** Keeps the process alive, as a server does: a watch alone does not. */
function stayAlive(t: TestContext) {
  const timer = setInterval(() => {}, 60_000);
  t.after(() => clearInterval(timer));
}

test("SRC-2: a watch reports at first that all may have changed, then each edit and removal", async (t) => {
  stayAlive(t);
  const { directory, provider, reader } = await open(t, { "a.md": "# A", "b.md": "# B" });
  const nodes = await listed(reader.search());
  const idOf = (title: string) => nodes.find((node) => node.title === title)?.id;
  const { workspace } = await signIn(provider, codeOf(provider));
  const { watching, until, changes } = changesOf(provider);
  const names = (title: string) => (change: Change) =>
    change.workspaceId === workspace.id && (change.changed?.some(({ id }) => id === idOf(title)) ?? false);
  await until(({ changed }) => changed === null);
  await writeFile(path.join(directory, "a.md"), "# A\n\nedited");
  await until(names("A"));
  await rm(path.join(directory, "b.md"));
  await until(names("B"));
  await assert.rejects(reader.page(idOf("B") ?? ""), { code: "not_found" });
  await watching.stop();
  await writeFile(path.join(directory, "a.md"), "# A\n\nedited again");
  assert.match((await reader.content(idOf("A") ?? "")).markdown, /edited/);
  await listed(reader.search());
  assert.deepEqual(changes, []);
});

test("SRC-2: if the thread ends, calls that wait fail, and reading and watching go on in a new one", async (t) => {
  stayAlive(t);
  const started: Worker[] = [];
  const onWorker = (worker: Worker) => started.push(worker);
  process.on("worker", onWorker);
  t.after(() => process.off("worker", onWorker));
  const logged: string[] = [];
  const log = { warn: () => {}, error: (_: object, message: string) => void logged.push(message) };
  const { provider, reader } = await open(t, { "a.md": "# A" }, { log });
  const [page] = await listed(reader.search());
  const { watching, until } = changesOf(provider);
  await until(({ changed }) => changed === null);
  const [thread] = started;
  assert.ok(thread && page);
  const waiting = assert.rejects(reader.page(page.id), unavailable);
  await Promise.all([once(thread, "exit"), thread.terminate(), waiting]);
  assert.equal((await reader.page(page.id)).title, "A");
  await until(({ changed }) => changed === null);
  await watching.stop();
  assert.equal(started.length, 2);
});

test("SYNC-13: all folders share one thread, which reads and parses beside the program's own", async (t) => {
  const started: Worker[] = [];
  const onWorker = (worker: Worker) => started.push(worker);
  process.on("worker", onWorker);
  t.after(() => process.off("worker", onWorker));
  const rows = "| *a* | [b](b.md) | [[b]] |\n".repeat(1_500);
  const { thread, reader } = await open(t, { "b.md": "# B", "large.md": `| a | b | c |\n|-|-|-|\n${rows}` });
  const { provider: other } = testProvider(await writeFolder(t, { "c.md": "# C" }), {
    slug: "other",
    thread,
  });
  const large = (await listed(reader.search())).find(({ title }) => title === "large");
  await listed(other.reader("folder other").search());
  assert.equal(started.length, 1);
  const [own, all] = [process.threadCpuUsage(), process.cpuUsage()];
  const { references } = await reader.content(large?.id ?? "");
  assert.equal(references.length, 2);
  const [ownSince, allSince] = [process.threadCpuUsage(own), process.cpuUsage(all)];
  assert.ok(ownSince.user < allSince.user / 4, `${ownSince.user} of ${allSince.user} µs`);
});

test("SYNC-7: pages of one minute are listed by their seconds, and rows from a time on", async (t) => {
  const dated = (second: string) => `---\nupdated: 2024-01-31T10:20:${second}Z\n---\n`;
  const { reader } = await open(t, {
    "rows/_database.yml": "properties: {}\n",
    "rows/first.md": dated("05"),
    "rows/last.md": dated("55"),
    "rows/middle.md": dated("30.5"),
  });
  const nodes = await listed(reader.search());
  assert.deepEqual(
    nodes.filter(({ type }) => type === "page").map(({ title, updatedAt }) => [title, updatedAt]),
    [
      ["last", Date.UTC(2024, 0, 31, 10, 20, 55)],
      ["middle", Date.UTC(2024, 0, 31, 10, 20, 30, 500)],
      ["first", Date.UTC(2024, 0, 31, 10, 20, 5)],
    ],
  );
  const [collection] = nodes.flatMap(({ collections }) => collections);
  const since = (time: number) => listed(reader.rows(collection?.id ?? "", time));
  const titles = (await since(Date.UTC(2024, 0, 31, 10, 20, 30, 500))).map(({ title }) => title);
  assert.deepEqual(titles, ["last", "middle"]);
});

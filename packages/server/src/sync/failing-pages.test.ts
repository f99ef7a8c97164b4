import assert from "node:assert/strict";
import { test } from "node:test";
import { dated, isText, listed, textOf, textsAsked } from "./testing/calls.ts";
import { files, idOf, links } from "./testing/circle.ts";
import {
  apiError,
  type Call,
  changed,
  createWorkspace,
  type Intercept,
  type Json,
  json,
} from "./testing/workspace.ts";

for (const [what, answer, reason] of [
  ["is not there any more", async () => apiError(404, "object_not_found"), /404/],
  ["has an odd block", async () => apiError(400, "validation_error"), /400/],
  [
    "is answered with nonsense",
    async () => new Response("<html>secret words</html>"),
    /failed to read the provider's answer/,
  ],
  [
    "has no text in its answer",
    async () => json({ object: "page_markdown", markdown: 7 }),
    /expected text at markdown/,
  ],
  ["is gigantic", async () => json({ markdown: "secret words ".repeat(2_000_000) }), /larger than/],
  ["keeps failing", async () => apiError(500, "internal_server_error"), /500/],
] as const) {
  test(`SYNC-5: a page that ${what} fails alone, is reported, and is tried again next time`, async (t) => {
    const workspace = await createWorkspace(t, files);
    const { id } = await workspace.connect();
    const listed: Intercept = async (call, pass) =>
      isText(call) ? apiError(404, "object_not_found") : pass();
    workspace.intercept(listed);
    const one = await idOf(workspace, id, "One");
    workspace.intercept(textOf(one, answer));
    const { sync } = await workspace.run(id);
    assert.equal(sync.state, "idle");
    assert.equal(sync.error, null);
    const failed = await workspace.node(id, "One");
    assert.equal(failed.contentState, "failed");
    assert.match(failed.contentError ?? "", reason);
    assert.deepEqual(await workspace.edges(id), ["Three -link-> One", "Two -link-> Three"]);
    const lines = workspace.logged.filter((line) => line.includes(one));
    assert.ok(lines.length > 0);
    assert.doesNotMatch(workspace.logged.join(), /secret words|Words of the provider|"One"/);

    workspace.intercept(null);
    workspace.calls.length = 0;
    await workspace.run(id);
    assert.equal((await workspace.node(id, "One")).contentState, "ready");
    assert.deepEqual(await workspace.edges(id), links);
  });
}

test("SYNC-5: a page that fails keeps its earlier text", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  const one = await idOf(workspace, id, "One");
  workspace.pass(10 * 60_000);
  await workspace.write({ "one.md": "---\nupdated: 2031-01-01T00:00:00Z\n---\n# One\n\nNew words.\n" });
  workspace.intercept(textOf(one, async () => apiError(400, "validation_error")));
  await workspace.run(id);
  const { contentState, markdown } = await workspace.node(id, "One");
  assert.equal(contentState, "failed");
  assert.match(markdown ?? "", /^To \[two\]/);
  assert.deepEqual(await workspace.edges(id), links);
});

test("SYNC-5: what the provider leaves out of a page is reported, the rest kept", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  const cut: Intercept = async (call, pass) =>
    isText(call) ? changed(await pass(), (text) => ({ ...text, truncated: true })) : pass();
  workspace.intercept(cut);
  await workspace.run(id);
  const { contentState, contentError, markdown } = await workspace.node(id, "One");
  assert.equal(contentState, "failed");
  assert.equal(contentError, "The provider left out a part of this page");
  assert.match(markdown ?? "", /^To \[two\]/);
  assert.deepEqual(await workspace.edges(id), links);
});

test("SYNC-5: a page keeps its earlier whole text if the provider leaves out a part of the new one", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  const one = await idOf(workspace, id, "One");
  workspace.pass(10 * 60_000);
  await workspace.write({ "one.md": dated("# One\n\nNew words.\n", "2031-01-01T00:00:00Z") });
  const cut = textOf(one, async (pass) => changed(await pass(), (text) => ({ ...text, truncated: true })));
  workspace.intercept(cut);
  await workspace.run(id);
  const { contentError, markdown } = await workspace.node(id, "One");
  assert.equal(contentError, "The provider left out a part of this page; its earlier text is shown");
  assert.match(markdown ?? "", /^To \[two\]/);
});

test("SYNC-5: a page keeps its earlier whole text too if that showed a page that could not be looked up", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  const hidden = "11111111-1111-4111-8111-111111111111";
  const shown = `<page url="https://www.notion.so/${hidden.replaceAll("-", "")}">Hidden</page>`;
  const withText =
    (change: (text: Json) => unknown): Intercept =>
    async (call, pass) => {
      if (call.path === `/v1/pages/${hidden}`) return apiError(400, "validation_error");
      return isText(call) ? changed(await pass(), change) : pass();
    };
  workspace.intercept(withText((text) => ({ ...text, markdown: `${text.markdown}\n${shown}` })));
  await workspace.run(id);
  workspace.pass(10 * 60_000);
  workspace.intercept(withText((text) => ({ ...text, markdown: "Less.", truncated: true })));
  await workspace.run(id);
  const { contentError, markdown } = await workspace.node(id, "One");
  assert.equal(contentError, "The provider left out a part of this page; its earlier text is shown");
  assert.match(markdown ?? "", /^To \[two\]/);
});

test("SYNC-5: when the provider is down the sync fails as a whole, and says so", async (t) => {
  const text = (index: number) => dated(`# P${index}\n\nWords.\n`);
  const pages = Array.from({ length: 20 }, (_, index) => [`p${index}.md`, text(index)]);
  const workspace = await createWorkspace(t, Object.fromEntries(pages));
  const { id } = await workspace.connect();
  let passed = 0;
  workspace.intercept(async (call, pass) => {
    if (!isText(call)) return pass();
    passed += 1;
    return passed <= 8 ? pass() : apiError(503, "service_unavailable");
  });
  const { sync, lastSyncedAt } = await workspace.run(id);
  assert.equal(sync.state, "failed");
  assert.equal(sync.error, "The provider could not be reached.");
  assert.equal(lastSyncedAt, null);
  assert.ok(sync.finishedAt !== null);
  assert.equal((await workspace.titles(id)).length, 20);

  workspace.intercept(null);
  workspace.calls.length = 0;
  const healed = await workspace.run(id);
  assert.equal(healed.sync.state, "idle");
  assert.equal(textsAsked(workspace).length, 12);
});

const passes: Intercept = (_, pass) => pass();

const numbers = Array.from({ length: 25 }, (_, index) => index);
const filesOf = (path: (number: number) => string, text: (number: number) => string) =>
  Object.fromEntries(numbers.map((number) => [path(number), text(number)]));

/** Workspaces in which one kind of call is made 25 times. */
const manyCalls: Readonly<
  Record<string, { files: Record<string, string>; isOne: (call: Call) => boolean; by?: Intercept }>
> = {
  texts: {
    files: filesOf(
      (number) => `p${number}.md`,
      () => dated("Words.\n"),
    ),
    isOne: isText,
  },
  databases: {
    files: filesOf(
      (number) => `d${number}/_database.yml`,
      (number) => `title: D${number}\n`,
    ),
    isOne: ({ path }) => path.startsWith("/v1/databases/"),
    by: listed((results) => results.map((one) => ({ ...one, title: [] }))),
  },
  "properties to their end": {
    files: {
      "tasks/_database.yml": "title: Tasks\nproperties:\n  Blocks: { type: relation, database: . }\n",
      ...filesOf(
        (number) => `tasks/p${number}.md`,
        () =>
          dated(
            "Words.\n",
            undefined,
            `Blocks: [${[...numbers, 25].map((row) => `./p${row}.md`).join(", ")}]\n`,
          ),
      ),
      "tasks/p25.md": dated("Words.\n"),
    },
    isOne: ({ path }) => path.includes("/properties/"),
  },
};

for (const [what, { files: many, isOne, by = passes }] of Object.entries(manyCalls))
  test(`SYNC-5: failures that answers come between end no sync that reads ${what}`, async (t) => {
    const workspace = await createWorkspace(t, many);
    const { id } = await workspace.connect();
    const asked: string[] = [];
    // Four calls are under way at a time, so no five in a row fail.
    workspace.intercept(async (call, pass) => {
      if (!isOne(call)) return by(call, pass);
      if (!asked.includes(call.path)) asked.push(call.path);
      return asked.indexOf(call.path) % 5 === 0 ? apiError(503, "service_unavailable") : pass();
    });
    const { sync } = await workspace.run(id);
    assert.deepEqual([sync.outcome, sync.error], ["incomplete", null]);
    assert.equal(asked.length, numbers.length);
    workspace.intercept(by);
    assert.equal((await workspace.run(id)).sync.outcome, "complete");
  });

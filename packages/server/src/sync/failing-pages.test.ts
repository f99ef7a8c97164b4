import assert from "node:assert/strict";
import { test } from "node:test";
import { dated, isText, textOf, textsAsked } from "./testing/calls.ts";
import { files, idOf, links } from "./testing/circle.ts";
import { apiError, changed, createWorkspace, type Intercept, json } from "./testing/workspace.ts";

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
  [
    "takes too long to parse",
    async () =>
      json({
        object: "page_markdown",
        markdown: "![![](".repeat(1_600_000),
        truncated: false,
        unknown_block_ids: [],
      }),
    /failed to parse the page's text: it took more than 500 ms/,
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
  assert.match(contentError ?? "", /left out a part/);
  assert.match(markdown ?? "", /^To \[two\]/);
  assert.deepEqual(await workspace.edges(id), links);
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

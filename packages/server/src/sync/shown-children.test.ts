import assert from "node:assert/strict";
import { test } from "node:test";
import { dated, isSearch, isText, listed, titleOf, unshared, without } from "./testing/calls.ts";
import {
  apiError,
  type Call,
  changed,
  createWorkspace,
  type Intercept,
  type Json,
  json,
} from "./testing/workspace.ts";

const leafId = "00000000-0000-4000-8000-00000000000a";
const leaf = dated("# Leaf\n", undefined, `id: ${leafId}\n`);
const files = { "first/index.md": dated("# First\n"), "second/index.md": dated("# Second\n") };

test("SYNC-7: a page moves below the page whose text shows it although listings still show its earlier parent", async (t) => {
  const workspace = await createWorkspace(t, { ...files, "first/leaf.md": leaf });
  const { id } = await workspace.connect();
  let place: Json;
  workspace.intercept(
    listed((results) => {
      place ??= results.find((page) => titleOf(page) === "Leaf").parent;
      return results.map((page) => (titleOf(page) === "Leaf" ? { ...page, parent: place } : page));
    }),
  );
  await workspace.run(id);
  assert.deepEqual(await workspace.edges(id), ["First -child-> Leaf"]);

  await workspace.remove("first/leaf.md");
  const edited = dated("# Second\n\nIt has a leaf.\n", "2026-01-02T00:00:00Z");
  await workspace.write({ "second/index.md": edited, "second/leaf.md": leaf });
  workspace.calls.length = 0;
  await workspace.run(id);
  assert.deepEqual(await workspace.edges(id), ["Second -child-> Leaf"]);
  const asked = ({ path }: Call) => path === `/v1/pages/${leafId}`;
  assert.equal(workspace.calls.filter(asked).length, 1);
});

test("SYNC-7: a text is fetched again if one of its children could not be looked up", async (t) => {
  const twig = dated("# Twig\n");
  const workspace = await createWorkspace(t, {
    ...files,
    "first/leaf/index.md": leaf,
    "first/leaf/twig.md": twig,
  });
  const { id } = await workspace.connect();
  // The twig has the leaf looked up before the text does.
  const hidden = without("Leaf");
  workspace.intercept(async (call, pass) => {
    if (call.path === `/v1/pages/${leafId}` && !isText(call)) return apiError(500, "internal_server_error");
    return isSearch(call) ? hidden(call, pass) : pass();
  });
  await workspace.run(id);
  assert.deepEqual(await workspace.titles(id), ["First", "Second", "Twig"]);
  assert.match((await workspace.node(id, "First")).markdown ?? "", /<page/);

  workspace.intercept(null);
  await workspace.remove("first/leaf");
  await workspace.write({ "second/leaf/index.md": leaf, "second/leaf/twig.md": twig });
  await workspace.run(id);
  assert.doesNotMatch((await workspace.node(id, "First")).markdown ?? "", /<page/);
});

test("SYNC-7: a page that search does not list is removed once its text is gone, and leaves the texts that show it", async (t) => {
  const workspace = await createWorkspace(t, {
    ...files,
    "first/leaf/index.md": leaf,
    "first/leaf/twig.md": dated("# Twig\n"),
  });
  const { id } = await workspace.connect();
  workspace.intercept(without("Leaf"));
  await workspace.run(id);
  assert.deepEqual(await workspace.edges(id), ["First -child-> Leaf", "Leaf -child-> Twig"]);

  await workspace.remove("first/leaf");
  const { sync } = await workspace.run(id);
  assert.equal(sync.state, "idle");
  assert.deepEqual(await workspace.titles(id), ["First", "Second"]);
  assert.doesNotMatch((await workspace.node(id, "First")).markdown ?? "", /<page/);
});

const blockIds = ["b0000000-0000-4000-8000-000000000000", "b1000000-0000-4000-8000-000000000000"] as const;

/** Answers as if the leaf were in a block that is in another one, directly below the page where the folder has the leaf. */
const inBlocks: Intercept = async (call, pass) => {
  const [inner, outer] = blockIds;
  if (call.path === `/v1/blocks/${inner}`)
    return json({ object: "block", id: inner, parent: { type: "block_id", block_id: outer } });
  const answer = await pass();
  if (call.path === `/v1/blocks/${outer}` || isText(call)) return answer;
  return changed(answer, (body) => {
    const placed = (page: Json) =>
      page.id === leafId ? { ...page, parent: { type: "block_id", block_id: inner } } : page;
    return body.results === undefined ? placed(body) : { ...body, results: body.results.map(placed) };
  });
};

test("SYNC-7: a page in a block moves with the block", async (t) => {
  const workspace = await createWorkspace(t, { ...files, "first/leaf.md": leaf });
  const { id } = await workspace.connect();
  let holder = "First";
  workspace.intercept(async (call, pass) => {
    if (call.path !== `/v1/blocks/${blockIds[1]}`) return inBlocks(call, pass);
    const { id: page } = await workspace.node(id, holder);
    return json({ object: "block", id: blockIds[1], parent: { type: "page_id", page_id: page } });
  });
  await workspace.run(id);
  assert.deepEqual(await workspace.edges(id), ["First -child-> Leaf"]);

  await workspace.remove("first/leaf.md");
  await workspace.write({
    "first/index.md": dated("# First\n", "2026-01-02T00:00:00Z"),
    "second/index.md": dated("# Second\n", "2026-01-02T00:00:00Z"),
    "second/leaf.md": leaf,
  });
  holder = "Second";
  await workspace.run(id);
  assert.deepEqual(await workspace.edges(id), ["Second -child-> Leaf"]);
});

test("SYNC-7, SYNC-10: a page in a block of a page that was not shared moves below that page when it arrives", async (t) => {
  const workspace = await createWorkspace(t, { ...files, "first/leaf.md": leaf });
  const { id } = await workspace.connect();
  let isShared = false;
  workspace.intercept(async (call, pass) => {
    if (call.path !== `/v1/blocks/${blockIds[1]}`)
      return isShared ? inBlocks(call, pass) : unshared("First")(call, () => inBlocks(call, pass));
    if (!isShared) return apiError(404, "object_not_found");
    const { id: page } = await workspace.node(id, "First");
    return json({ object: "block", id: blockIds[1], parent: { type: "page_id", page_id: page } });
  });
  await workspace.run(id);
  assert.deepEqual(await workspace.edges(id), []);
  assert.deepEqual(await workspace.titles(id), ["Leaf", "Second"]);

  isShared = true;
  await workspace.run(id);
  assert.deepEqual(await workspace.edges(id), ["First -child-> Leaf"]);
});

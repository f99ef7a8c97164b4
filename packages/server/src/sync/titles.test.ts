import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { readGraph } from "../store/testing/read-graph.ts";
import { isSearch, isText, listed } from "./testing/calls.ts";
import { everything, files } from "./testing/guides.ts";
import { apiError, type Call, changed, createWorkspace, type Json, json } from "./testing/workspace.ts";

const lookUps = (calls: readonly Call[]) =>
  calls.filter(
    (call) =>
      call.method === "GET" &&
      !isText(call) &&
      /^\/v1\/(pages|databases|blocks|data_sources)/.test(call.path),
  );

test("SYNC-1: everything that was shared becomes nodes and edges", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  const { sync } = await workspace.run(id);
  assert.equal(sync.state, "idle");
  assert.deepEqual(await workspace.edges(id), everything);
  assert.equal((await workspace.node(id, "Tasks")).type, "database");
  const write = await workspace.node(id, "Write");
  assert.equal(write.type, "page");
  assert.equal(write.properties.Done, true);
  assert.deepEqual(write.properties.Blocks, [(await workspace.node(id, "Print")).id]);
  const start = await workspace.node(id, "Start");
  assert.match(start.markdown ?? "", /^See \[the guide\]/);
  assert.equal(start.contentState, "ready");
  assert.equal((await workspace.node(id, "Tasks")).contentState, "empty");
});

test("SYNC-1: what search does not list is found by following children, rows and mentions", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  const shown = ["Start", "Guides"];
  workspace.intercept(async (call, pass) => {
    if (!isSearch(call)) return pass();
    return changed(await pass(), (list) => ({
      ...list,
      results: list.results.filter(({ properties }: Json) =>
        shown.includes(properties?.title?.title[0]?.plain_text),
      ),
    }));
  });
  await workspace.run(id);
  assert.deepEqual(
    (await workspace.titles(id)).filter((title) => !["Tasks", "Write", "Print"].includes(title)),
    ["First", "Guides", "Second", "Start", "deep"],
  );
  for (const title of ["First", "Second", "deep"]) {
    assert.notEqual((await workspace.node(id, title)).contentState, "pending");
    assert.notEqual((await workspace.node(id, title)).parentId, null);
  }
});

test("GRAPH-3: a node's aliases are stored, and a change of them alone counts as a change", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  const serve = (aliases: readonly string[]) =>
    workspace.intercept(async (call, pass) => {
      if (!isSearch(call)) return pass();
      const named = (node: Json) =>
        node.properties?.title?.title[0]?.plain_text === "Start" ? { ...node, aliases } : node;
      return changed(await pass(), (list) => ({ ...list, results: list.results.map(named) }));
    });
  const stored = async () => {
    const { nodes, revision } = await readGraph(workspace.database.read, id);
    return { revision, aliases: nodes.flatMap((node) => node.aliases ?? []) };
  };
  serve(["home", "Anfang"]);
  await workspace.run(id);
  const first = await stored();
  assert.deepEqual(first.aliases, ["home", "Anfang"]);
  await workspace.run(id);
  assert.deepEqual(await stored(), first);
  serve(["home"]);
  await workspace.run(id);
  const second = await stored();
  assert.deepEqual(second.aliases, ["home"]);
  assert.ok(second.revision > first.revision);
});

test("SYNC-1: a database that one text names as a page is found where another names it as a database", async (t) => {
  const workspace = await createWorkspace(t, {
    "tasks/_database.yml": "title: Tasks\nproperties:\n  See: { type: relation, database: . }\n",
    "tasks/write.md": "---\nSee: [/guides/marks/index.md]\n---\n# Write\n",
    "guides/index.md": "# Guides\n",
    "guides/marks/index.md": "Of these marks.\n",
    "guides/marks/_database.yml": "title: Marks\n",
  });
  const { id } = await workspace.connect();
  workspace.intercept(listed((results) => results.filter(({ title }) => title?.[0].plain_text !== "Marks")));
  await workspace.run(id);
  const edges = ["Guides -child-> Marks", "Tasks -child-> Write", "Write -relation See-> Marks"];
  assert.deepEqual(await workspace.edges(id), edges);
});

test("SYNC-1: rows that search does not list are found in their database", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  workspace.intercept(async (call, pass) =>
    isSearch(call)
      ? changed(await pass(), (list) => ({
          ...list,
          results: list.results.filter(({ parent }: Json) => parent.type !== "data_source_id"),
        }))
      : pass(),
  );
  await workspace.run(id);
  assert.deepEqual(await workspace.edges(id), everything);
  assert.equal(lookUps(workspace.calls).length, 0);
});

test("SYNC-1: a database that search does not list is found through its rows", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  workspace.intercept(async (call, pass) =>
    isSearch(call)
      ? changed(await pass(), (list) => ({
          ...list,
          results: list.results.filter(
            ({ object, properties }: Json) =>
              object === "page" && properties.Name?.title[0]?.plain_text !== "Write",
          ),
        }))
      : pass(),
  );
  await workspace.run(id);
  assert.deepEqual(await workspace.edges(id), everything);
});

test("SYNC-1: several data sources fold into one database, which has the database's title", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  const second = "00000000-0000-4000-8000-000000000002";
  workspace.intercept(async (call, pass) => {
    if (isSearch(call))
      return changed(await pass(), (list) => {
        const source = list.results.find(({ object }: Json) => object === "data_source");
        const title = [{ type: "text", plain_text: "Another source" }];
        return { ...list, results: [{ ...source, id: second, title }, ...list.results] };
      });
    if (call.path === `/v1/data_sources/${second}/query`)
      return json({ object: "list", results: [], has_more: false, next_cursor: null });
    return pass();
  });
  await workspace.run(id);
  assert.deepEqual(await workspace.edges(id), everything);
  assert.deepEqual(
    lookUps(workspace.calls).map(({ path }) => path.split("/")[2]),
    ["databases"],
  );
});

/** Search lists another source of the database called Tasks, untitled or not, `distance` pages after the first. */
async function withSecondSource(t: TestContext, distance: number, titles: readonly [string, string]) {
  const many = Array.from({ length: distance }, (_, index) => [`p${index}.md`, `# P${index}\n`]);
  const workspace = await createWorkspace(t, { ...files, ...Object.fromEntries(many) });
  const { id } = await workspace.connect();
  const other = "00000000-0000-4000-8000-0000000000aa";
  let first: Json = null;
  const titled = (text: string) => (text === "" ? [] : [{ type: "text", text: {}, plain_text: text }]);
  workspace.intercept(async (call, pass) => {
    if (call.path === `/v1/data_sources/${other}/query`) return json({ results: [], has_more: false });
    if (!isSearch(call)) return pass();
    return changed(await pass(), (list) => {
      first ??= list.results.find(({ object }: Json) => object === "data_source");
      const others = list.results.filter(({ object }: Json) => object !== "data_source");
      const before = list.start_cursor === undefined && distance === 0;
      // A source has a time of its own.
      const source = { ...first, last_edited_time: "2026-01-01T00:00:00.000Z" };
      const sources = [
        { ...source, title: titled(titles[0]) },
        { ...source, id: other, title: titled(titles[1]) },
      ];
      if (distance === 0) return { ...list, results: before ? [...sources, ...others] : others };
      return { ...list, results: list.has_more ? [sources[0], ...others] : [...others, sources[1]] };
    });
  });
  return { workspace, id };
}

for (const distance of [0, 120])
  for (const titles of [
    ["One", "Two"],
    ["", ""],
    ["One", ""],
  ] as const)
    test(`SYNC-1: several data sources have their database's title, which is asked for once, ${distance} pages apart: ${titles}`, async (t) => {
      const { workspace, id } = await withSecondSource(t, distance, titles);
      const databases = () =>
        lookUps(workspace.calls).filter(({ path }) => path.startsWith("/v1/databases/"));
      for (const _ of [1, 2]) {
        workspace.pass(60 * 60_000);
        await workspace.run(id);
        await workspace.node(id, "Tasks");
        assert.equal(databases().length, 1);
      }
    });

test("SYNC-1: a database of several data sources that only its rows lead to is asked for once", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  const other = "00000000-0000-4000-8000-0000000000aa";
  const unlisted = listed((results) => results.filter(({ object }) => object === "page"));
  workspace.intercept(async (call, pass) => {
    if (call.path === `/v1/data_sources/${other}/query`) return json({ results: [], has_more: false });
    if (!call.path.startsWith("/v1/databases/")) return unlisted(call, pass);
    return changed(await pass(), (database) => ({
      ...database,
      data_sources: [...database.data_sources, { id: other, name: "Other" }],
    }));
  });
  await workspace.run(id);
  assert.deepEqual(await workspace.edges(id), everything);
  const databases = lookUps(workspace.calls).filter(({ path }) => path.startsWith("/v1/databases/"));
  assert.equal(databases.length, 1);
});

test("SYNC-1: an untitled data source has its database's title, which is asked for once", async (t) => {
  const workspace = await createWorkspace(t, files);
  workspace.pass(60 * 60_000);
  const { id } = await workspace.connect();
  workspace.intercept(async (call, pass) =>
    isSearch(call)
      ? changed(await pass(), (list) => ({
          ...list,
          results: list.results.map((one: Json) =>
            one.object === "data_source" ? { ...one, title: [] } : one,
          ),
        }))
      : pass(),
  );
  const databases = () => workspace.calls.filter(({ path }) => path.startsWith("/v1/databases/")).length;
  for (const _ of [1, 2]) {
    await workspace.run(id);
    assert.deepEqual(await workspace.edges(id), everything);
    assert.equal(databases(), 1);
    workspace.pass(60 * 60_000);
  }
});

test("SYNC-1: a page inside blocks has the page that holds them as parent, and each block is looked up once", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  const [column, list] = ["00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-00000000000b"];
  let guides = "";
  workspace.intercept(async (call, pass) => {
    if (call.path === `/v1/blocks/${column}`)
      return json({ object: "block", id: column, parent: { type: "block_id", block_id: list } });
    if (call.path === `/v1/blocks/${list}`)
      return json({ object: "block", id: list, parent: { type: "page_id", page_id: guides } });
    if (!isSearch(call)) return pass();
    return changed(await pass(), (found) => ({
      ...found,
      results: found.results.map((page: Json) => {
        if (page.parent.type !== "page_id") return page;
        if (["First", "deep"].includes(page.properties.title.title[0]?.plain_text))
          guides = page.parent.page_id;
        else return page;
        return { ...page, parent: { type: "block_id", block_id: column } };
      }),
    }));
  });
  await workspace.run(id);
  assert.deepEqual(await workspace.edges(id), everything);
  assert.deepEqual(
    lookUps(workspace.calls).map(({ path }) => path),
    [`/v1/blocks/${column}`, `/v1/blocks/${list}`],
  );
});

test("SYNC-1: below a parent that is not shared, a page is a root", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  const stranger = "00000000-0000-4000-8000-00000000000c";
  workspace.intercept(async (call, pass) =>
    isSearch(call)
      ? changed(await pass(), (list) => ({
          ...list,
          results: list.results.map((page: Json) =>
            page.parent.type === "workspace"
              ? { ...page, parent: { type: "page_id", page_id: stranger } }
              : page,
          ),
        }))
      : pass(),
  );
  const { sync } = await workspace.run(id);
  assert.equal(sync.state, "idle");
  assert.deepEqual(await workspace.edges(id), everything);
  assert.equal((await workspace.node(id, "Start")).parentId, null);
  assert.equal(lookUps(workspace.calls).length, 1);
});

test("SYNC-1: an unknown kind of parent makes a root", async (t) => {
  const workspace = await createWorkspace(t, { "a.md": "# A\n" });
  const { id } = await workspace.connect();
  workspace.intercept(async (call, pass) =>
    isSearch(call)
      ? changed(await pass(), (list) => ({
          ...list,
          results: list.results.map((page: Json) => ({
            ...page,
            parent: { type: "agent_id", agent_id: "x" },
          })),
        }))
      : pass(),
  );
  await workspace.run(id);
  assert.equal((await workspace.node(id, "A")).parentId, null);
});

test("SYNC-3: a property that the listing cuts short is read to its end", async (t) => {
  const rows = Array.from({ length: 30 }, (_, index) => `row-${index}`);
  const workspace = await createWorkspace(t, {
    "tasks/_database.yml": "title: Tasks\nproperties:\n  Blocks: { type: relation, database: . }\n",
    "tasks/all.md": `---\nBlocks: [${rows.map((row) => `./${row}.md`).join(", ")}]\n---\n# All\n`,
    ...Object.fromEntries(rows.map((row) => [`tasks/${row}.md`, `# ${row}\n`])),
  });
  const { id } = await workspace.connect();
  await workspace.run(id);
  const relations = (await workspace.edges(id)).filter((edge) => edge.startsWith("All -relation Blocks->"));
  assert.equal(relations.length, 30);
  assert.equal((await workspace.node(id, "All")).properties.Blocks?.toString().split(",").length, 30);
});

test("SYNC-2: titles are published before the first text is read, and all at the end", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  let textsAtFirst = -1;
  workspace.intercept(async (call, pass) => {
    if (isText(call) && textsAtFirst === -1) textsAtFirst = workspace.published.length;
    return pass();
  });
  await workspace.run(id);
  assert.equal(textsAtFirst, 1);
  assert.equal(workspace.published.length, 2);
  assert.equal(workspace.published[0]?.connection.sync.phase, "titles");
  assert.equal(workspace.published[1]?.connection.sync.phase, "content");
});

test("SYNC-5: titles are searchable and rows counted although one database does not answer", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  workspace.intercept(async (call, pass) =>
    call.path.endsWith("/query") ? apiError(400, "validation_error") : pass(),
  );
  const { sync } = await workspace.run(id);
  assert.equal(sync.state, "idle");
  assert.deepEqual(await workspace.edges(id), everything);
});

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { collectionsOf } from "../store/queries/containers.ts";
import { dated, titleOf } from "./testing/calls.ts";
import { apiError, changed, createWorkspace, type Intercept, type Json, json } from "./testing/workspace.ts";

const idOf = (number: number) => `${number}0000000-0000-4000-8000-000000000000`;

const ids = {
  Start: idOf(1),
  Hidden: idOf(2),
  Guides: idOf(3),
  Inside: idOf(4),
  Tasks: idOf(5),
  Write: idOf(6),
  Print: idOf(7),
  Archive: idOf(8),
  Old: idOf(9),
  Notes: "a0000000-0000-4000-8000-000000000000",
  Note: "b0000000-0000-4000-8000-000000000000",
  Adrift: "c0000000-0000-4000-8000-000000000000",
  column: "d0000000-0000-4000-8000-000000000000",
  list: "e0000000-0000-4000-8000-000000000000",
  "lost block": "f0000000-0000-4000-8000-000000000000",
  "another source of Tasks": "f1000000-0000-4000-8000-000000000000",
};

const page = (title: keyof typeof ids, text = "", more = "", updated = "2026-01-01T00:00:00Z") =>
  dated(`# ${title}\n\n${text}\n`, updated, `id: ${ids[title]}\n${more}`);

const database = (title: keyof typeof ids, more = "") => `id: ${ids[title]}\ntitle: ${title}\n${more}`;

const files = {
  "start.md": page("Start", "See [[Hidden]]."),
  "adrift.md": page("Adrift"),
  "guides/index.md": page("Guides"),
  "guides/hidden.md": page("Hidden"),
  "guides/inside.md": page("Inside"),
  "tasks/_database.yml": database("Tasks", "properties:\n  Blocks: { type: relation, database: . }\n"),
  "tasks/index.md": dated(""),
  "tasks/write.md": page("Write", "", "Blocks: [./print.md]\n"),
  "tasks/print.md": page("Print"),
  "archive/_database.yml": database("Archive"),
  "archive/index.md": dated(""),
  "archive/old.md": page("Old"),
  "notes/_database.yml": database("Notes"),
  "notes/index.md": dated(""),
  "notes/note.md": page("Note"),
};

/** The changes that a test may make to what the provider says. */
interface Said {
  /** The page that holds the blocks that Inside is in. */
  holder: string;
  /** Collections that the provider does not have any more. */
  gone: readonly string[];
  /** The rows that it has listed. */
  rows: number;
}

/**
 * Leaves out what a sync then has to ask for: a page that only a text names; the title of a database, which has a second data
 * source; two databases, and for one of them its id in the row that shows it; the page that holds a block with a page in it; and
 * a block that is not shared and holds another page.
 */
function sparse(said: Said): Intercept {
  const other = ids["another source of Tasks"];
  let sourceOfTasks: Json;
  const inside = (one: Json, block: string) => ({ ...one, parent: { type: "block_id", block_id: block } });
  const search = (one: Json): Json[] => {
    const title = one.object === "data_source" ? one.title[0].plain_text : titleOf(one);
    if (["Hidden", "Archive", "Notes"].includes(title)) return [];
    if (title === "Inside") return [inside(one, ids.column)];
    if (title === "Adrift") return [inside(one, ids["lost block"])];
    if (title === "Note") return [{ ...one, parent: { ...one.parent, database_id: undefined } }];
    if (title !== "Tasks") return [one];
    sourceOfTasks = one;
    return [{ ...one, title: [] }];
  };
  const block = (id: string, parent: Json) => json({ object: "block", id, parent });
  const answers: Readonly<Record<string, () => Response>> = {
    [`/v1/blocks/${ids.column}`]: () => block(ids.column, { type: "block_id", block_id: ids.list }),
    [`/v1/blocks/${ids.list}`]: () => block(ids.list, { type: "page_id", page_id: said.holder }),
    [`/v1/data_sources/${other}/query`]: () => json({ results: [], has_more: false }),
    [`/v1/data_sources/${other}`]: () => json({ ...sourceOfTasks, id: other }),
  };
  return async ({ path }, pass) => {
    const answer = answers[path]?.();
    if (answer !== undefined) return answer;
    if (path.endsWith("/query") && said.gone.some((one) => path.includes(one)))
      return apiError(404, "object_not_found");
    if (path.endsWith("/query"))
      return changed(await pass(), (list) => {
        said.rows += list.results.length;
        return list;
      });
    if (path === `/v1/databases/${ids.Tasks}`)
      return changed(await pass(), (database) => ({
        ...database,
        data_sources: [...database.data_sources, { id: other, name: "More tasks" }],
      }));
    if (path === `/v1/pages/${ids.Inside}`) return changed(await pass(), (one) => inside(one, ids.column));
    if (path === "/v1/search")
      return changed(await pass(), (list) => ({ ...list, results: list.results.flatMap(search) }));
    return pass();
  };
}

async function setUp(t: TestContext) {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  const said: Said = { holder: ids.Guides, gone: [], rows: 0 };
  workspace.intercept(sparse(said));
  const names = new Map(Object.entries(ids).map(([title, one]) => [one, title]));
  /** Syncs, and resolves with the paths of its calls, sorted, with titles in place of ids. */
  const run = async (full = false) => {
    workspace.calls.length = 0;
    said.rows = 0;
    await workspace.sync.request(id, { full });
    assert.equal((await workspace.end(id)).sync.outcome, "complete");
    for (const source of await collectionsOf(workspace.database.read, id))
      if (!names.has(source.id)) names.set(source.id, `source of ${names.get(source.databaseId)}`);
    const named = (path: string) =>
      path.replace("/v1/", "").replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, (one) => names.get(one) ?? one);
    return workspace.calls.map(({ path }) => named(path)).sort();
  };
  return { workspace, id, said, run };
}

/** The calls of each listing. */
const lists = [
  "data_sources/another source of Tasks/query",
  "data_sources/source of Archive/query",
  "data_sources/source of Notes/query",
  "data_sources/source of Tasks/query",
  "search",
];

/** The calls for what no list shows. */
const unlisted = [
  "blocks/column",
  "blocks/list",
  "blocks/lost block",
  "data_sources/another source of Tasks",
  "data_sources/source of Archive",
  "data_sources/source of Notes",
  "databases/Archive",
  "databases/Tasks",
  "pages/Hidden",
  "users",
];

const texts = ["Adrift", "Guides", "Hidden", "Inside", "Note", "Old", "Print", "Start", "Write"].map(
  (title) => `pages/${title}/markdown`,
);

test("SYNC-3: a first sync asks once for what search leaves out, later ones list what was edited, and full ones ask for all but the texts", async (t) => {
  const { workspace, id, said, run } = await setUp(t);
  assert.deepEqual(await run(), [...lists, ...unlisted, ...texts].sort());
  assert.equal(said.rows, 4);
  const edges = [
    "Archive -child-> Old",
    "Guides -child-> Hidden",
    "Guides -child-> Inside",
    "Notes -child-> Note",
    "Start -mention-> Hidden",
    "Tasks -child-> Print",
    "Tasks -child-> Write",
    "Write -relation Blocks-> Print",
  ];
  assert.deepEqual(await workspace.edges(id), edges);
  assert.deepEqual(await run(), lists);
  assert.equal(said.rows, 0);
  assert.deepEqual(await run(true), [...lists, ...unlisted, "databases/Notes"].sort());
  assert.equal(said.rows, 4);
  assert.deepEqual(await workspace.edges(id), edges);
  assert.deepEqual(await run(), lists);
  assert.equal(said.rows, 0);
});

test("SYNC-3: an edited page costs its text alone, although it is in a block or names what search leaves out", async (t) => {
  const { workspace, run } = await setUp(t);
  await run();
  const edited = "2026-01-02T00:00:00Z";
  await workspace.write({
    "start.md": page("Start", "See [[Hidden]] again.", "", edited),
    "adrift.md": page("Adrift", "Words.", "", edited),
    "guides/inside.md": page("Inside", "Words.", "", edited),
    "archive/old.md": page("Old", "Words.", "", edited),
    "notes/note.md": page("Note", "Words.", "", edited),
    "tasks/write.md": page("Write", "Words.", "Blocks: [./print.md]\n", edited),
  });
  const read = ["Adrift", "Inside", "Note", "Old", "Start", "Write"];
  assert.deepEqual(await run(), [...lists, ...read.map((title) => `pages/${title}/markdown`)].sort());
});

test("SYNC-3: a full sync asks again what holds a block, and its pages move if that is another page", async (t) => {
  const { workspace, id, said, run } = await setUp(t);
  await run();
  said.holder = ids.Start;
  assert.deepEqual(await run(), lists);
  assert.ok((await workspace.edges(id)).includes("Guides -child-> Inside"));
  await run(true);
  const edges = await workspace.edges(id);
  assert.deepEqual(
    edges.filter((edge) => edge.endsWith("-child-> Inside")),
    ["Start -child-> Inside"],
  );
});

test("SYNC-7: a data source that search does not list and the provider no longer has is asked for once, until a full sync finds it again", async (t) => {
  const { workspace, id, said, run } = await setUp(t);
  await run();
  const sources = await collectionsOf(workspace.database.read, id);
  said.gone = sources.flatMap((source) => (source.databaseId === ids.Archive ? source.id : []));
  assert.deepEqual(await run(), lists);
  said.gone = [];
  const left = lists.filter((path) => !path.includes("Archive"));
  assert.deepEqual(await run(), left);
  assert.ok((await workspace.edges(id)).includes("Archive -child-> Old"));
  await run(true);
  assert.deepEqual(await run(), lists);
});

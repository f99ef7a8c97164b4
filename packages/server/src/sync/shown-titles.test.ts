import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { testProvider, writeFolder } from "@clew/folder/testing";
import type { Database } from "../store/port.ts";
import { changesOf } from "../store/queries/change-feed.ts";
import { graphRevision } from "../store/queries/changes.ts";
import { readContent } from "../store/queries/graph-reading.ts";
import { textOfLinks } from "../store/queries/reference-offsets.ts";
import { titleRevisions } from "../store/queries/shown-titles.ts";
import { newLocation } from "../store/testing/location.ts";
import { readGraph } from "../store/testing/read-graph.ts";
import { wrapWrites } from "../store/testing/wrap-writes.ts";
import { dated, isSearch, isText, textsAsked, unshared } from "./testing/calls.ts";
import { storedGraph } from "./testing/stored-graph.ts";
import { openSyncing } from "./testing/syncing.ts";
import { changed, createWorkspace, type Json, type Workspace } from "./testing/workspace.ts";

const files = {
  "plan/index.md": dated(
    "# Plan\n\n## Who\n\n𝕏 asks [[goal]] and [[tasks]], and [[goal|them]]; see [it](../goal.md).\n",
  ),
  "plan/part.md": dated("# Part\n"),
  "goal.md": dated("# Goal\n"),
  "tasks/_database.yml": "title: Tasks\n",
  "tasks/row.md": dated("# Row\n\nFor [[goal]].\n"),
};

async function synced(t: TestContext, options: Parameters<typeof createWorkspace>[2] = {}) {
  const workspace = await createWorkspace(t, files, options);
  const { id } = await workspace.connect();
  await workspace.run(id);
  const text = async (title: string) => (await workspace.node(id, title)).markdown ?? "";
  return { workspace, id, text };
}

const later = "2026-01-02T00:00:00Z";

/** Renames pages and a database, whose ids stay. */
const rename = (workspace: Workspace) =>
  workspace.write({
    "goal.md": dated("# The *new* goal\n", later),
    "plan/part.md": dated("# Section\n", later),
    "tasks/_database.yml": "title: Work\n",
  });

const inTags = (markdown: string) =>
  [...markdown.matchAll(/<[^/>]*"[^>]*>([^<]*)<\//g)].map(([, title]) => title);

test("SYNC-12: texts show a page's, a subpage's and a database's new title after a sync, which asks for none of them", async (t) => {
  const { workspace, id, text } = await synced(t);
  assert.deepEqual(inTags(await text("Plan")), ["Goal", "Tasks", "them", "Part"]);
  const before = await workspace.node(id, "Plan");
  const revision = (await graphRevision(workspace.database.read, id)) ?? 0;
  await rename(workspace);
  workspace.calls.length = 0;
  await workspace.run(id);
  const goal = await workspace.node(id, "The new goal");
  const after = await workspace.node(id, "Plan");
  assert.deepEqual(inTags(after.markdown ?? ""), ["The new goal", "Work", "them", "Section"]);
  assert.deepEqual(inTags(await text("Row")), ["The new goal"]);
  assert.ok(!textsAsked(workspace).includes(after.id));
  assert.deepEqual({ ...after, markdown: "" }, { ...before, markdown: "" }, "it was not edited");

  const links = await textOfLinks(workspace.database.read, id, after.id, [goal.id]);
  const shown = [...(links?.markdown ?? "")];
  const [first, second] = links?.links.find(({ type }) => type === "mention")?.offsets ?? [];
  assert.ok(
    shown
      .slice(first)
      .join("")
      .startsWith(`<mention-page url="https://www.notion.so/${goal.id.replaceAll("-", "")}">The`),
  );
  assert.match(shown.slice(second).join(""), /^<mention-page [^>]*>them/);

  const wanted = {
    from: { revision, nodeId: null },
    upTo: Number.MAX_SAFE_INTEGER,
    since: revision,
    seen: revision,
    limit: 20,
  };
  const changes = await changesOf(workspace.database.read, id, wanted);
  assert.deepEqual(changes.find(({ nodeId }) => nodeId === after.id)?.what, ["text"]);
});

test("SYNC-12: what is published with a new title are texts that show it, before any text is read", async (t) => {
  const { workspace, id, text } = await synced(t);
  await rename(workspace);
  const whenRead: (string | undefined)[] = [];
  workspace.intercept(async (call, pass) => {
    if (isText(call)) whenRead.push(...inTags(await text("Row")));
    return pass();
  });
  await workspace.run(id);
  assert.deepEqual(new Set(whenRead), new Set(["The new goal"]));
});

test("SYNC-12: a sync that renames nothing leaves texts alone, and one that has nothing new writes nothing", async (t) => {
  const { workspace, id } = await synced(t);
  await rename(workspace);
  await workspace.run(id);
  await workspace.run(id);
  const revision = await graphRevision(workspace.database.read, id);
  await workspace.run(id);
  assert.equal(await graphRevision(workspace.database.read, id), revision);
  assert.deepEqual(await titleRevisions(workspace.database.read, id), { shown: revision, stored: revision });
});

test("SYNC-12: a text that is read while a title changes shows the title that the graph has, and the new one after the next sync", async (t) => {
  const { workspace, id, text } = await synced(t);
  await workspace.write({ "plan/index.md": files["plan/index.md"].replace("2026-01-01", "2026-01-03") });
  // The provider renames the page between the listing and the text.
  workspace.intercept(async (call, pass) =>
    isText(call)
      ? changed(await pass(), (answer) => ({
          ...answer,
          markdown: answer.markdown.replaceAll(">Goal<", ">Renamed<"),
        }))
      : pass(),
  );
  await workspace.run(id);
  assert.deepEqual(inTags(await text("Plan")).slice(0, 1), ["Goal"]);
  workspace.intercept(null);
  await workspace.write({ "goal.md": dated("# Renamed\n", later) });
  await workspace.run(id);
  assert.deepEqual(inTags(await text("Plan")).slice(0, 1), ["Renamed"]);
});

test("SYNC-12: a text that cannot be read again shows the new title of a page that was below it", async (t) => {
  const part = (title: string, edited?: string) =>
    dated(`# ${title}\n`, edited).replace("---", "---\nid: 5d0e9d7a-54a0-4b0d-9c39-8a2f7e0b61c4");
  const workspace = await createWorkspace(t, { ...files, "plan/part.md": part("Part") });
  const { id } = await workspace.connect();
  await workspace.run(id);
  const plan = await workspace.node(id, "Plan");
  assert.equal(inTags(plan.markdown ?? "").at(-1), "Part");
  await workspace.remove("plan/part.md");
  await workspace.write({ "moved.md": part("Section", later) });
  workspace.intercept(async (call, pass) =>
    isText(call) && call.path.includes(plan.id) ? new Response("{") : pass(),
  );
  await workspace.run(id);
  const kept = await workspace.node(id, "Plan");
  assert.deepEqual([kept.contentState, inTags(kept.markdown ?? "").at(-1)], ["failed", "Section"]);
});

test("SYNC-12: the title of a page that no listing had until texts named it is shown too", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  workspace.intercept(async (call, pass) => {
    if (isText(call))
      return changed(await pass(), (text) => ({
        ...text,
        markdown: text.markdown.replaceAll(">Goal<", ">Old<"),
      }));
    if (!isSearch(call)) return pass();
    return changed(await pass(), (list) => ({
      ...list,
      results: list.results.filter((page: Json) => page.properties?.title?.title[0]?.plain_text !== "Goal"),
    }));
  });
  await workspace.run(id);
  assert.deepEqual(inTags((await workspace.node(id, "Plan")).markdown ?? "").slice(0, 1), ["Goal"]);
});

test("SYNC-12: a title that is not in the graph stays as the provider gave it, until its page arrives or is renamed", async (t) => {
  const { workspace, id, text } = await synced(t);
  workspace.pass(60_000);
  workspace.intercept(unshared("Goal"));
  await workspace.run(id);
  assert.ok(!(await workspace.titles(id)).includes("Goal"));
  assert.deepEqual(inTags(await text("Row")), ["Goal"]);
});

test("SYNC-12: a database of an earlier Clew has its texts put right by the next sync", async (t) => {
  const { workspace, id, text } = await synced(t);
  const { database } = workspace;
  const { id: row } = await workspace.node(id, "Row");
  const stale = (await text("Row")).replace(">Goal<", ">Long ago<");
  await database.transaction(async (trx) => {
    const key = Buffer.from(row.replaceAll("-", ""), "hex");
    await trx.updateTable("contents").set({ markdown: stale }).where("node_id", "=", key).execute();
    await trx.updateTable("connections").set({ shown_titles_revision: 0 }).execute();
  });
  await workspace.run(id);
  assert.deepEqual(inTags(await text("Row")), ["Goal"]);
});

async function countRetitled({ read }: Database): Promise<number> {
  const rows = await read.selectFrom("nodes").select("id").where("retitled_revision", ">", 0).execute();
  return rows.length;
}

test("SYNC-12: a sync that is interrupted while it shows titles is finished by the next run", async (t) => {
  const many = Object.fromEntries(
    Array.from({ length: 250 }, (_, n) => [`p${n}.md`, dated(`# P${n}\n\nOf [[hub]].\n`)]),
  );
  let writes = 0;
  let killedAt = Number.POSITIVE_INFINITY;
  const workspace = await createWorkspace(
    t,
    { "hub.md": dated("# Hub\n"), ...many },
    {
      wrapDatabase: (database) =>
        wrapWrites(database, async (write) => {
          const before = await countRetitled(database);
          const result = await write();
          if ((await countRetitled(database)) > before) writes += 1;
          else return result;
          if (writes === killedAt) throw new Error("the process was killed");
          return result;
        }),
    },
  );
  const { id } = await workspace.connect();
  await workspace.run(id);
  assert.equal(writes, 0, "what was just read is right");
  await workspace.write({ "hub.md": dated("# Centre\n", later) });
  killedAt = 1;
  assert.equal((await workspace.run(id)).sync.state, "failed");
  killedAt = Number.POSITIVE_INFINITY;
  writes = 0;
  assert.equal((await workspace.run(id)).sync.outcome, "complete");
  assert.equal(writes, 2, "the first hundred were written before");
  const texts = await workspace.database.read.selectFrom("contents").select("markdown").execute();
  assert.equal(texts.filter(({ markdown }) => markdown.includes(">Hub<")).length, 0);
  assert.equal(texts.filter(({ markdown }) => markdown.includes(">Centre<")).length, 250);
  await workspace.run(id);
  assert.equal(writes, 2);
});

test("SYNC-12: the description of a database follows the titles of the pages that it names, whichever were edited", async (t) => {
  const directory = await writeFolder(t, {
    "people/_database.yml": "title: People\n",
    "people/index.md": "Above all [[Ada]].\n",
    "notes/Ada.md": "# Ada\n",
    "notes/Grace.md": "# Grace\n",
  });
  const { provider, thread } = testProvider(directory);
  const { location, remove } = await newLocation();
  const syncing = await openSyncing({ location, provider });
  t.after(async () => {
    await syncing.close();
    await thread.close();
    await remove();
  });
  const { database } = syncing;
  const { id } = await syncing.connectWithToken("owner", "folder notes");
  await syncing.run(id);
  const titled = async (title: string) => {
    const { nodes } = await readGraph(database.read, id);
    return nodes.find((node) => node.title === title)?.id ?? "";
  };
  const shown = async () => (await readContent(database.read, id, await titled("People")))?.markdown ?? "";
  assert.deepEqual(inTags(await shown()), ["Ada"]);
  const page = await titled("Ada");
  await writeFile(join(directory, "notes/Ada.md"), "# Ada Lovelace\n");
  for await (const _ of provider.reader("folder notes").search({ few: true })) break;
  await syncing.run(id, { by: "watch", only: [{ of: "page", id: page }] });
  assert.deepEqual(inTags(await shown()), ["Ada Lovelace"]);
  const before = await storedGraph(database, id);
  await syncing.run(id);
  assert.deepEqual(
    await storedGraph(database, id),
    before,
    "a listing of everything finds nothing to change",
  );
});

import "../store/testing/repeat-transactions.ts";
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Files, testProvider, writeFolder } from "@clew/folder/testing";
import { sampleDirectory } from "@clew/stand-in";
import { writeWorkspace } from "@clew/stand-in/testing";
import { share } from "@clew/stand-in/testing/share";
import { newLocation } from "../store/testing/location.ts";
import { readGraph } from "../store/testing/read-graph.ts";
import { storedGraph } from "./testing/stored-graph.ts";
import { openSyncing, type Syncing, serveWorkspace } from "./testing/syncing.ts";

const manyRows = Array.from({ length: 60 }, (_, number) => `row ${number}`);

/** Titles, properties, texts and places that are seldom, each of which has a path of its own through some code. */
const odd: Files = {
  "_workspace.yml": "name: Odd\n",
  "index.md":
    "# Home\n\n[all](people/) and [[Ada]], [[Nobody|no one]], [gone](gone.md), <javascript:alert(1)>\n",
  "people/_database.yml": [
    "title: People",
    "icon: 🧑",
    "title_property: Full name",
    "properties:",
    "  Born: {type: date}",
    "  Field: {type: select, options: [Algebra]}",
    "  Tags: {type: multi_select}",
    "  State: {type: status}",
    "  Site: {type: url}",
    "  Mail: {type: email}",
    "  Alive: {type: checkbox}",
    "  Papers: {type: number}",
    "  Notes: {type: rich_text}",
    "  Knows: {type: relation, database: /people}",
    "  Lost: {type: relation, database: /nowhere}",
    "",
  ].join("\n"),
  "people/index.md": "Those who [count](../index.md), and [[Ada]].",
  "people/Ada.md": [
    "---",
    "aliases: [Countess, Ada]",
    "icon: https://example.org/ada.png",
    "Born: 1815-12-10/1852-11-27",
    "Field: Analysis",
    "Tags: [first, first, 'second, third']",
    "State: done",
    "Site: https://example.org/?X-Amz-Signature=1",
    "Mail: ada@example.org",
    "Alive: no",
    "Papers: '7'",
    "Notes: see [[row 1]] and [**home** page](../index.md), [home](../index.md)",
    `Knows: [${manyRows.join(", ")}]`,
    "Lost: [x]",
    "---",
    "# Ada",
    "",
    "A [link *in* parts](../index.md) and https://prod.s3.example/file.png?X-Amz-Signature=secret.",
    "",
    "| a | b |",
    "|---|---|",
    "| [[row 2]] | `[[row 3]]` |",
    "",
    "<details><summary>More</summary>",
    "",
    "Inside [[Home]]",
    "",
    "</details>",
  ].join("\n"),
  ...Object.fromEntries(manyRows.map((row) => [`people/${row}.md`, ""])),
  "loose.md":
    "---\ntitle: \"A [[title]] with *marks* \"\nrelated: '[[Ada]]'\ncount: 3\nlist: [a, 1]\nmap: {a: 1}\nsite: https://example.org\n2024: year\n---\nText.\n",
  "trash.md": "---\nin_trash: true\n---\nGone [[Home]]\n",
  "long.md": `${"Words and [links](index.md) to [[Ada]].\n\n".repeat(600)}`,
  "deep/er/page.md": "# Deep\n\n> [!NOTE]\n> with [[loose]]\n\n- [ ] task\n  1. one\n\n![[index]]\n",
};

const minute = 60_000;

/** A graph with times as the other provider has them, which rounds them down to the minute. */
function rounded<Part>(part: Part): Part {
  const isTime = (key: string, value: unknown): value is number =>
    typeof value === "number" && /^(?:created|updated)(?:At|_at)$/.test(key);
  return JSON.parse(JSON.stringify(part), (key, value: unknown) =>
    isTime(key, value) ? Math.floor(value / minute) * minute : value,
  ) as Part;
}

/** The graph after a first sync, without addresses: each source has its own. */
async function graphOf(syncing: Syncing, id: number) {
  const { report } = await syncing.run(id, { full: true });
  assert.equal(report.outcome, "complete", JSON.stringify(report));
  const { nodes, texts, references } = await storedGraph(syncing.database, id);
  const graph = await readGraph(syncing.database.read, id);
  const collections = await syncing.database.read
    .selectFrom("data_sources")
    .selectAll()
    .where("connection_id", "=", id)
    .orderBy("id")
    .execute();
  return rounded({
    nodes: nodes.map(({ url: _, properties, ...node }) => ({ ...node, properties: JSON.parse(properties) })),
    more: graph.nodes.map(({ url: _, ...node }) => node),
    texts: texts.map(({ markdown, ...text }) => ({
      ...text,
      markdown: markdown.replaceAll(/https:\/\/www\.notion\.so(?=\/[0-9a-f]{32})/g, ""),
    })),
    references,
    columns: collections.map(({ columns }) => columns && JSON.parse(columns)),
    unsupported: report.unsupported,
  });
}

/** The graphs of a folder by way of the demo workspace, in the form of another provider's API, and directly. */
async function bothWays(t: TestContext, directory: string) {
  // The workspace of the folder, so that all ids are the same.
  const standIn = await serveWorkspace(directory, { workspaceId: "notes" });
  const demo = await newLocation();
  const folder = await newLocation();
  const { provider, thread } = testProvider(directory);
  const served = await openSyncing({
    location: demo.location,
    apiUrl: standIn.url,
    // Only the demo workspace gives aliases.
    demoUrl: new URL("http://demo.invalid/"),
  });
  const direct = await openSyncing({ location: folder.location, provider });
  t.after(async () => {
    await Promise.all([served.close(), direct.close()]);
    await Promise.all([standIn.close(), thread.close()]);
    await Promise.all([demo.remove(), folder.remove()]);
  });
  const { id: servedId } = await served.connect();
  const { id } = await direct.connectWithToken("a person", "folder notes");
  return { served: await graphOf(served, servedId), direct: await graphOf(direct, id) };
}

/** The folders. A run of the tests draws two of them. */
const folders = {
  "the sample": async () => sampleDirectory,
  "a generated workspace": async (t: TestContext) => {
    const directory = await writeFolder(t, {});
    await writeWorkspace(directory, { seed: 31, pages: 120 });
    return directory;
  },
  "a folder of odd files": (t: TestContext) => writeFolder(t, odd),
};

for (const [name, folderOf] of share("SRC-1: folders", Object.entries(folders), 2))
  test(`SRC-1: ${name} is the same graph as a folder and by way of another provider's API`, async (t) => {
    const { served, direct } = await bothWays(t, await folderOf(t));
    assert.ok(served.nodes.length >= 10 && served.references.length > 0 && served.columns.length > 0);
    // Piece by piece, since a difference of whole graphs cannot be read.
    for (const part of ["nodes", "more", "texts", "references", "columns"] as const) {
      assert.equal(direct[part].length, served[part].length, part);
      for (const [at, one] of direct[part].entries()) assert.deepEqual(one, served[part][at], part);
    }
    assert.deepEqual(direct.unsupported, served.unsupported);
  });

import assert from "node:assert/strict";
import { rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { integer, pick, type Random, seededRandom } from "@clew/stand-in/testing/random";
import { enhancedMarkdown } from "../document/write-markdown.ts";
import { listedNode, pageNames } from "../provider/listed-node.ts";
import { type Files, writeFolder } from "../testing/index.ts";
import type { Entry } from "./entry.ts";
import { openWorkspace } from "./open.ts";
import { createWorkspace, type Workspace } from "./workspace.ts";

/** All that a workspace says, but times, which depend on what was before. */
function contentOf(workspace: Workspace) {
  const tags = workspace.tags().all.map(({ id, name, parent }) => ({ id, name, parent: parent?.id }));
  return [...tags, ...workspace.entries.map((entry) => nodeOf(workspace, entry))];
}

function nodeOf(workspace: Workspace, entry: Entry) {
  assert.equal(workspace.entry(entry.id), entry);
  for (const child of entry.children) {
    assert.equal(child.parent, entry);
    assert.equal(workspace.entry(child.id), child);
  }
  const siblings = entry.parent?.children ?? workspace.topLevel;
  assert(siblings.includes(entry));
  const { createdAt, updatedAt, ...node } = listedNode(entry, workspace, workspace.tags());
  return { ...node, text: textOf(workspace, entry), leadsTo: workspace.leadsTo(entry) };
}

function textOf(workspace: Workspace, page: Entry): string {
  const blocks = workspace.blocks(page);
  return enhancedMarkdown(page, blocks, pageNames(workspace), Number.POSITIVE_INFINITY).markdown;
}

const names = ["a.md", "b.md", "c.md", "part/index.md", "part/d.md", "bare/e.md", "rows/f.md", "rows/g.md"];

/** A text that no other file has, so that no page seems to move. Three kinds of edits in seven change names, front matter or headings. */
function randomText(random: Random, count: number): string {
  const target = () => pick(random, [...names, "missing.md"]);
  const kind = pick(random, ["text", "text", "text", "text", "front matter", "title", "sections"]);
  const lines = [
    kind === "front matter" ? `---\nalias: other ${integer(random, 1, 3)}\nState: ${count}\n---` : "",
    kind === "title" ? `# Title ${integer(random, 1, 3)}` : "",
    pick(random, ["", "", "#seen", "#seen/twice and #Other"]),
    `Words ${count}, [x](/${target()}), [[${path.basename(target(), ".md")}#part]] and [[other 1]]`,
    kind === "sections" ? "## Part\n\nA block ^part" : "",
  ];
  return lines.join("\n\n").trimStart();
}

async function change(directory: string, isBook: boolean, random: Random, count: number): Promise<string[]> {
  const name = pick(random, names);
  if (isBook && integer(random, 1, 4) === 1) {
    await writeFile(path.join(directory, "src/SUMMARY.md"), `- [Chapter ${count}](../a.md)`);
    return ["src/SUMMARY.md"];
  }
  const file = path.join(directory, name);
  switch (pick(random, ["write", "write", "write", "replace", "remove"])) {
    case "replace":
      await writeFile(`${file}.new`, randomText(random, count));
      await rename(`${file}.new`, file);
      break;
    case "remove":
      await rm(file, { force: true });
      break;
    default:
      await writeFile(file, randomText(random, count));
  }
  return [name];
}

for (const settings of [{}, { ".obsidian/app.json": "{}" }, { "src/SUMMARY.md": "- [Chapter](../a.md)" }])
  test(`SRC-2: after edits a workspace is as if it were created anew (${Object.keys(settings)})`, async (t) => {
    const random = seededRandom(7);
    const isBook = "src/SUMMARY.md" in settings;
    const schema = { "rows/_database.yml": "properties:\n  State: select\n" };
    const texts = Object.fromEntries(names.map((name, index) => [name, randomText(random, -index)]));
    const directory = await writeFolder(t, { ...settings, ...schema, ...texts } satisfies Files);
    const opened = await openWorkspace(directory);
    await opened.ready();
    let kept = 0;
    for (let count = 0; count < 60; count += 1) {
      const before = opened.current();
      const hints = new Set(await change(directory, isBook, random, count));
      if (count % 3 === 0)
        for (const hint of await change(directory, isBook, random, -100 - count)) hints.add(hint);
      const now = await opened.look(hints);
      // Pages that were not edited are the same objects only if nothing was created anew.
      if (now !== before && now.entries.some((entry) => before.entries.includes(entry))) kept += 1;
      const dates = { git: new Map(), now: Date.now() };
      assert.deepEqual(
        contentOf(now),
        contentOf(createWorkspace(opened.scanned(), path.basename(directory), { dates })),
      );
    }
    if (!isBook) assert(kept >= 5, `${kept} of 60`);
  });

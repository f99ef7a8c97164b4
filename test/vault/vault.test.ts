import assert from "node:assert/strict";
import { join, posix } from "node:path";
import { type TestContext, test } from "node:test";
import type { Warning } from "../../packages/folder/src/workspace/entry.ts";
import { idOf } from "../../packages/folder/src/workspace/ids.ts";
import { openWorkspace } from "../../packages/folder/src/workspace/open.ts";
import { openDatabase } from "../../packages/server/src/store/database.ts";
import { readGraph } from "../../packages/server/src/store/testing/read-graph.ts";
import { openServedFolder, type ServedFolder } from "../corpus/served-graph.ts";
import { writeFiles } from "../support/markdown-folder.ts";
import { stageOf } from "../support/stage.ts";
import { bareFolders, type OddPage, oddPages, otherFiles, unusable } from "./odd-vault.ts";

/** The expected page or database, with the path that names it. */
interface Expected extends OddPage {
  readonly id: string;
  readonly path: string;
}

const parentOf = (path: string) => (path.includes("/") ? posix.dirname(path) : "");

function expected(): Expected[] {
  const folders = bareFolders.map((path) => ({ path, title: posix.basename(path), text: "" }));
  const pages = Object.entries(oddPages).map(([file, page]) => ({
    ...page,
    path: (page.folder === undefined ? file : posix.dirname(file)).normalize("NFC"),
  }));
  return [...folders, ...pages].map((page) => {
    const kind = page.path === "Books" || page.path === "Authors" ? "database" : "page";
    return { ...page, id: idOf(kind, page.path) };
  });
}

async function writeVault(t: TestContext): Promise<string> {
  const { folder } = await stageOf(t);
  const vault = join(folder, "vault");
  await writeFiles(
    vault,
    Object.fromEntries(Object.entries(oddPages).map(([file, { text }]) => [file, text])),
  );
  await writeFiles(vault, Object.fromEntries(otherFiles.map((file) => [file, "# No page"])));
  return vault;
}

/** The graph as sorted lines: nodes with their names and parents, references with their counts. */
function expectedLines(pages: readonly Expected[]): string[] {
  const lines = pages.flatMap(
    ({ path, title, aliases = [], folder = parentOf(path), to = [], nowhere = [] }) => [
      nodeLine(path, title, aliases, folder),
      ...to.map((reference) => {
        const [, type, target, count = "1"] = /^(\w+) (.+?)(?: ×(\d+))?$/.exec(reference) ?? [];
        return `${path} ${type} ${target} ×${count}`;
      }),
      ...(nowhere.length === 0
        ? []
        : [`${path} leads nowhere ×${nowhere.map(countOf).reduce((a, b) => a + b)}`]),
    ],
  );
  return lines.sort();
}

const nodeLine = (path: string, title: string, aliases: readonly string[], folder: string) =>
  `${path} in ${folder || "the vault"} is ${JSON.stringify([title, ...[...aliases].sort()])}`;

const countOf = (reference: string) => Number(/ ×(\d+)$/.exec(reference)?.[1] ?? 1);

/** The same for the graph that the sync stored. */
async function storedLines(
  { databaseLocation }: ServedFolder,
  pages: readonly Expected[],
): Promise<string[]> {
  const database = await openDatabase({ location: databaseLocation });
  const { id } = await database.read.selectFrom("connections").select("id").executeTakeFirstOrThrow();
  const { nodes, references } = await readGraph(database.read, id);
  await database.close();
  const paths = new Map(pages.map(({ id: node, path }) => [node, path]));
  const pathOf = (node: string | null) => (node === null ? "" : (paths.get(node) ?? node));
  const known = new Set(nodes.map((node) => node.id));
  const lines = nodes.map(({ id: node, title, aliases = [], parentId }) =>
    nodeLine(pathOf(node), title, aliases, pathOf(parentId)),
  );
  const toNowhere = new Map<string, number>();
  for (const { from, reference } of references) {
    const { type, targetId, count } = reference;
    if (known.has(targetId)) lines.push(`${pathOf(from)} ${type} ${pathOf(targetId)} ×${count}`);
    else toNowhere.set(pathOf(from), (toNowhere.get(pathOf(from)) ?? 0) + count);
  }
  for (const [path, count] of toNowhere) lines.push(`${path} leads nowhere ×${count}`);
  return lines.sort();
}

test("SYNC-1: the graph of a vault of odd files equals the one written by hand", async (t) => {
  const pages = expected();
  assert.ok(Object.keys(oddPages).length >= 200);
  const served = await openServedFolder(await writeVault(t));
  t.after(() => served.close());
  await t.test("nodes, aliases, parents and references", async () => {
    assert.deepEqual(await storedLines(served, pages), expectedLines(pages));
  });
  await t.test("SYNC-10: unresolved references keep their text", async () => {
    for (const { id, path, nowhere = [] } of pages) {
      const { unresolved } = await served.client.getPage({ id });
      assert.deepEqual(
        unresolved.map(({ type, name, count }) => `${type} ${name}${count === 1 ? "" : ` ×${count}`}`).sort(),
        [...nowhere].sort(),
        path,
      );
    }
  });
  await t.test("GRAPH-3: each page is found by its title and each of its aliases", async () => {
    for (const { id, path, title, aliases = [] } of pages) {
      for (const name of [title, ...aliases]) {
        assert.ok(await isFound(served, name, id), `${path} by ${JSON.stringify(name)}`);
      }
    }
  });
});

/** Whether a search for a name finds a node, possibly among others with that name. */
async function isFound(served: ServedFolder, name: string, id: string): Promise<boolean> {
  const { items } = await served.client.searchPages({ q: name, limit: 20 });
  return items.some(({ node }) => node.id === id);
}

test("only files with unusable front matter are reported by name, and files that are no pages are counted", async (t) => {
  const warnings: Warning[] = [];
  await openWorkspace(await writeVault(t), { onWarning: (warning) => void warnings.push(warning) });
  const [ofFiles, counts] = [
    warnings.filter(({ path }) => path !== ""),
    warnings.filter(({ path }) => path === ""),
  ];
  assert.deepEqual(ofFiles.map(({ path }) => path).sort(), [...unusable].sort());
  assert.match(counts.map(({ message }) => message).join(), /^not read: \d+ \./);
});

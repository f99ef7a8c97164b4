import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import type { Grammar, Trial } from "../grammar.ts";
import { type FuzzRequest, Ground } from "../ground.ts";
import { canary, hostileText } from "../hostile.ts";
import { encoded } from "./requests.ts";

/** A page in a list. */
interface Item {
  readonly node: { readonly id: string; readonly title: string };
}

/** Paths of files below the folder, each of names. */
type Paths = readonly (readonly string[])[];

const stem = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "notes",
      "index",
      "README",
      "Page 2",
      "a.b",
      "2026-01-01",
      "é",
      "e\u0301",
      "İ",
      "i",
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "CON",
      "nul.",
      "aux",
      "..a",
      "...",
      "~",
      "a ",
      " a",
      "-rf",
      "*",
      "?",
      "%2e%2e",
      "a%00b",
      "$HOME",
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "_database",
      "_workspace",
      "_people",
      ".git",
      ".obsidian",
      "node_modules",
      "a\\b",
      "a:b",
      "[[a]]",
      "#a",
      "a|b",
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom("x".repeat(250), "é".repeat(120), "👩‍👩‍👧‍👦".repeat(9), canary) },
  { weight: 3, arbitrary: hostileText },
);
const ending = fc.constantFrom(".md", ".md", ".md", ".mdx", ".MD", ".markdown", ".yml", ".md.md", "", ".png");

const path = fc
  .tuple(fc.array(stem, { maxLength: 3 }), stem, ending)
  .map(([folders, name, end]) => [...folders, name + end].map(nameOf));

/** A name that Linux accepts in UTF-8. */
function nameOf(text: string): string {
  const name = text.toWellFormed().replaceAll(/[/\0]/g, "∕");
  const bytes = Buffer.from(name).subarray(0, 255).toString().replaceAll("\ufffd", "");
  return ["", ".", ".."].includes(bytes) ? "dots" : bytes;
}

const inputs: fc.Arbitrary<Paths> = fc.array(path, { minLength: 1, maxLength: 12 });

async function open(): Promise<Trial<Paths>> {
  const ground = await Ground.open({ pages: 5, isFolder: true });
  const below = join(ground.directory, "fuzzed");
  const list: FuzzRequest = { method: "GET", path: "/api/v1/search/?limit=100", as: "token" };
  const idsOf = (items: readonly Item[]) => items.map(({ node }) => node.id);
  const before = new Set(idsOf((await ground.try(list)).body.items));
  let count = 0;
  return {
    inputs,
    async try(paths) {
      count += 1;
      await rm(below, { recursive: true, force: true });
      const word = `fuzzed${count}`;
      for (const names of paths) await write(join(below, ...names), word);
      await ground.sync();
      const items: readonly Item[] = (await ground.try(list)).body.items;
      const found = new Set(idsOf(items));
      assert.ok(
        [...before].every((id) => found.has(id)),
        "another page is gone",
      );
      for (const { node } of items.filter(({ node }) => !before.has(node.id))) {
        for (const part of ["", "content/"]) {
          const { status } = await ground.try({
            method: "GET",
            path: `/api/v1/nodes/${node.id}/${part}`,
            as: "token",
          });
          assert.ok(status === 200 || status === 404, `${node.id} → ${status}`);
        }
        const title = encoded(node.title.slice(0, 150).trim() || "x");
        await ground.try({ method: "GET", path: `/api/v1/resolve/?page=${title}`, as: "token" });
      }
    },
    // Each input is stored, in place of the one before.
    settle: async () => {},
    close: () => ground.close(),
  };
}

/** Writes a file, unless another one is in its way. */
async function write(file: string, word: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `# ${word}\n\n[[notes]] and [a](index.md).\n`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (["EEXIST", "ENOTDIR", "EISDIR", "ENAMETOOLONG"].includes(code ?? "")) return;
    throw error;
  }
}

/** Names of files and folders, as any system may have written them (SRC-2). */
export const folderNames: Grammar = { name: "folder-names", perThousand: 10, open };

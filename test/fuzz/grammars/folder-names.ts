import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import type { Grammar, Trial } from "../grammar.ts";
import { Ground } from "../ground.ts";
import { canary, hostileText } from "../hostile.ts";
import { encoded } from "./requests.ts";

/** Paths of files below the folder, each of names. */
type Paths = readonly (readonly string[])[];

const stem = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom("notes", "index", "README", "Page 2", "a.b", "2026-01-01", "é", "e\u0301", "İ", "i") },
  { weight: 2, arbitrary: fc.constantFrom("CON", "nul.", "aux", "..a", "...", "~", "a ", " a", "-rf", "*", "?", "%2e%2e", "a%00b", "$HOME") },
  { weight: 2, arbitrary: fc.constantFrom("_database", "_workspace", "_people", ".git", ".obsidian", "node_modules", "a\\b", "a:b", "[[a]]", "#a", "a|b") },
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
  let count = 0;
  return {
    inputs,
    async try(paths) {
      count += 1;
      await rm(below, { recursive: true, force: true });
      const word = `fuzzed${count}`;
      let written = 0;
      for (const names of paths) written += (await write(join(below, ...names), word)) ? 1 : 0;
      await ground.sync();
      const { body } = await ground.try({ method: "GET", path: "/api/v1/search/?limit=100", as: "token" });
      assert.ok(body.items.length > 0, "no page is left");
      for (const { node } of body.items.slice(0, 40)) {
        for (const part of ["", "content/"]) {
          const { status } = await ground.try({ method: "GET", path: `/api/v1/nodes/${node.id}/${part}`, as: "token" });
          assert.ok(status === 200 || status === 404, `${node.id} → ${status}`);
        }
        const title = encoded(node.title.slice(0, 150).trim() || "x");
        await ground.try({ method: "GET", path: `/api/v1/resolve/?page=${title}`, as: "token" });
      }
      assert.ok(written >= 0);
    },
    // Each input is stored, in place of the one before.
    settle: async () => {},
    close: () => ground.close(),
  };
}

/** Writes a file, unless another one is in its way. Other names may be the same file: the folder decides. */
async function write(file: string, word: string): Promise<boolean> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `# ${word}\n\n[[notes]] and [a](index.md).\n`);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (["EEXIST", "ENOTDIR", "EISDIR", "ENAMETOOLONG"].includes(code ?? "")) return false;
    throw error;
  }
}

/** Names of files and folders, as any system may have written them (SRC-2). */
export const folderNames: Grammar = { name: "folder-names", perThousand: 50, open };

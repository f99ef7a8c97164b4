import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { generateWorkspace } from "./generate-workspace.ts";
import type { WorkspaceShape } from "./shape.ts";

const filesAtOnce = 32;

/** Writes a generated workspace into a folder, which is made where there is none. Answers how many files it wrote. */
export async function writeWorkspace(directory: string, shape: WorkspaceShape): Promise<number> {
  const files = generateWorkspace(shape);
  const made = new Set<string>();
  let written = 0;
  const writeSome = async () => {
    for (const { path: name, text } of files) {
      const file = path.join(directory, name);
      const folder = path.dirname(file);
      if (!made.has(folder)) await mkdir(folder, { recursive: true });
      made.add(folder);
      await writeFile(file, text);
      written += 1;
    }
  };
  await Promise.all(Array.from({ length: filesAtOnce }, writeSome));
  return written;
}

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";

export { SampleFolder } from "./sample-folder.ts";
export { openFolder, testProvider } from "./under-test.ts";

/** Files by their paths. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Creates a folder with these files, which is removed after the test. */
export async function writeFolder(t: TestContext, files: Files): Promise<string> {
  const directory = path.join(await mkdtemp(path.join(tmpdir(), "folder-")), "notes");
  // Retried, because the server may still be writing into the folder.
  t.after(() => rm(path.dirname(directory), { recursive: true, force: true, maxRetries: 5 }));
  await mkdir(directory);
  await writeFiles(directory, files);
  return directory;
}

/** Writes files into a folder, with the folders that they need. */
export async function writeFiles(directory: string, files: Files): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(directory, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

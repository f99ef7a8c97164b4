import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

/**
 * Dependencies that consist of many small modules: 700 of the 1 900 that Clew loads. Node takes longer to find a module
 * than to compile it.
 */
const dependencies = [
  "jose",
  "kysely",
  "mdast-util-from-markdown",
  "mdast-util-gfm",
  "micromark-extension-gfm",
  "typebox",
];

const root = join(import.meta.dirname, "..");
const cache = join(root, "node_modules", ".cache");

/**
 * Writes each of these dependencies as one module, once for each package-lock.json. Returns the option for Node that has a
 * process and its threads load them: docs/decisions/0050-joined-dependencies.md.
 */
export async function joinDependencies(): Promise<string> {
  const lockfile = await readFile(join(root, "package-lock.json"));
  const digest = createHash("sha256").update(lockfile).update(dependencies.join()).digest("hex").slice(0, 16);
  const folder = join(cache, `joined-${digest}`);
  if (!existsSync(folder)) await write(folder);
  return `--import=${pathToFileURL(join(folder, "preload.js")).href}`;
}

/** Writes next to the folder and renames it at the end, so that the folder is always complete. */
async function write(folder: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(`${folder}-`);
  try {
    const preload = join(import.meta.dirname, "joined-dependencies-preload.ts");
    const bundle = await rolldown({
      input: { preload, ...Object.fromEntries(dependencies.map((name) => [name, name])) },
      platform: "node",
      cwd: root,
    });
    await bundle.write({ dir: fresh, format: "esm" });
    // Some tests start Clew as another user.
    await chmod(fresh, 0o755);
    await rename(fresh, folder);
  } catch (error) {
    await rm(fresh, { recursive: true });
    // Another process was first.
    if (!existsSync(folder)) throw error;
  }
}

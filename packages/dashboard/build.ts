import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from "node:zlib";
import { build } from "vite";
import { directory } from "./index.ts";
import { buildSite } from "./site/build-site.ts";

/** The compressions of built files, by the ending of the compressed file's name. */
const encodings = {
  br: { compress: promisify(brotliCompress), expand: promisify(brotliDecompress), options: {} },
  gz: {
    compress: promisify(gzip),
    expand: promisify(gunzip),
    options: { level: constants.Z_BEST_COMPRESSION },
  },
} as const;

const isCompressed = (name: string) => /\.(?:br|gz)$/.test(name);

/** The files of a built dashboard with their bytes, without the compressed copies. */
export async function readBuilt(folder: string): Promise<Map<string, Buffer>> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !isCompressed(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name));
  const files = await Promise.all(
    names.toSorted().map(async (path) => [path.slice(folder.length + 1), await readFile(path)] as const),
  );
  return new Map(files);
}

/** Builds the dashboard and the documentation into a folder, without compressed copies. */
export async function buildInto(folder: string): Promise<void> {
  await build({
    configFile: join(import.meta.dirname, "vite.config.ts"),
    logLevel: "warn",
    build: { outDir: folder, emptyOutDir: true },
  });
  await buildSite(folder);
}

/** Whether both compressed copies of a file expand to it. Other releases of zlib compress to other bytes. */
export async function isCompressedRight(path: string, content: Buffer): Promise<boolean> {
  const checks = Object.entries(encodings).map(async ([extension, { expand }]) => {
    const copy = await readFile(`${path}.${extension}`).catch(() => null);
    return copy !== null && (await expand(copy)).equals(content);
  });
  return (await Promise.all(checks)).every(Boolean);
}

async function compress(path: string, content: Buffer): Promise<void> {
  for (const [extension, { compress, options }] of Object.entries(encodings))
    await writeFile(`${path}.${extension}`, await compress(content, options));
}

/** Replaces `dist` by a new build. Files that did not change keep their compressed copies. */
async function main(): Promise<void> {
  const before = await readdir(join(directory, "assets")).catch(() => []);
  const kept = new Map<string, Buffer>();
  for (const name of before.filter(isCompressed))
    kept.set(name, await readFile(join(directory, "assets", name)));
  await buildInto(directory);
  for (const [name, content] of await readBuilt(directory)) {
    if (!name.startsWith("assets/")) continue;
    for (const extension of Object.keys(encodings)) {
      const copy = kept.get(`${name.slice("assets/".length)}.${extension}`);
      if (copy !== undefined) await writeFile(join(directory, `${name}.${extension}`), copy);
    }
    if (!(await isCompressedRight(join(directory, name), content)))
      await compress(join(directory, name), content);
  }
}

if (import.meta.main) await main();

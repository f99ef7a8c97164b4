import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { isRecord } from "./front-matter.ts";

/** A Markdown file as it was read. Times are milliseconds since the Unix epoch. */
export interface ScannedFile {
  /** Relative to the workspace, `/` between its parts, in NFC. */
  readonly path: string;
  readonly name: string;
  /** Without byte order mark, lines ended by `\n`; bytes that are no UTF-8 became U+FFFD. */
  readonly text: string;
  readonly createdAt: number;
  readonly editedAt: number;
}

/** A folder with all that matters below it. */
export interface ScannedFolder {
  /** Empty for the workspace itself. */
  readonly path: string;
  readonly name: string;
  readonly folders: readonly ScannedFolder[];
  readonly files: readonly ScannedFile[];
  /** Paths of files that are no pages: a link to one of them is no link to a page. */
  readonly others: readonly string[];
  /** The files that describe a workspace or database, by name. */
  readonly descriptions: ReadonlyMap<string, ScannedFile>;
  readonly createdAt: number;
  readonly editedAt: number;
}

/** Files read before, by path, so that a second look at a folder reads only what changed. */
export type ReadFiles = Map<
  string,
  { readonly size: number; readonly changedAt: number; readonly file: ScannedFile }
>;

const page = /\.mdx?$/i;
const filesAtOnce = 64;
const descriptions = new Set(["_database.yml", "_people.yml", "_workspace.yml"]);

/**
 * Reads a folder and all folders below it. Dot files and symbolic links are left out: a link could lead out of the
 * workspace, or around in a circle.
 */
export async function scanFolder(
  directory: string,
  known: ReadFiles,
  folderPath = "",
): Promise<ScannedFolder> {
  const [found, { birthtimeMs, mtimeMs }] = await Promise.all([
    readdir(directory, { withFileTypes: true }),
    stat(directory),
  ]);
  const entries = found.filter((entry) => !entry.name.startsWith(".")).sort(byName);
  const below = (entry: Dirent) => joinPath(folderPath, entry.name.normalize("NFC"));
  const read = (entry: Dirent) => readPage(path.join(directory, entry.name), below(entry), known);
  const files = entries.filter((entry) => entry.isFile());
  const [folders, pages, described] = await Promise.all([
    atMost(
      1,
      entries.filter((entry) => entry.isDirectory()),
      (entry) => scanFolder(path.join(directory, entry.name), known, below(entry)),
    ),
    atMost(
      filesAtOnce,
      files.filter((file) => page.test(file.name)),
      read,
    ),
    atMost(
      filesAtOnce,
      files.filter((file) => descriptions.has(file.name)),
      read,
    ),
  ]);
  return {
    path: folderPath,
    name: path.posix.basename(folderPath),
    folders,
    files: pages,
    others: files.filter((file) => !page.test(file.name)).map(below),
    descriptions: new Map(described.map((file) => [file.name, file])),
    createdAt: Math.min(birthtimeMs || mtimeMs, mtimeMs),
    editedAt: mtimeMs,
  };
}

async function readPage(absolute: string, relative: string, known: ReadFiles): Promise<ScannedFile> {
  const { size, mtimeMs, ctimeMs, birthtimeMs } = await stat(absolute);
  const before = known.get(absolute);
  if (before !== undefined && before.size === size && before.changedAt === ctimeMs) return before.file;
  const text = new TextDecoder().decode(await readFile(absolute));
  const file: ScannedFile = {
    path: relative,
    name: path.posix.basename(relative),
    text: text.replace(/\r\n?/g, "\n"),
    createdAt: Math.min(birthtimeMs || mtimeMs, mtimeMs),
    editedAt: mtimeMs,
  };
  known.set(absolute, { size, changedAt: ctimeMs, file });
  return file;
}

/**
 * Works on so many items at once: neither a wide tree nor a full folder may open thousands of files together. What was
 * moved or removed since the folder was listed is left out.
 */
async function atMost<T, R>(count: number, items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: (R | null)[] = [];
  const pending = items.entries();
  const workSome = async () => {
    for (const [index, item] of pending) results[index] = await work(item).catch(nullIfGone);
  };
  await Promise.all(Array.from({ length: count }, workSome));
  return results.filter((result) => result !== null);
}

function nullIfGone(error: unknown): null {
  if (isRecord(error) && error.code === "ENOENT") return null;
  throw error;
}

function joinPath(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** Code unit order, so that every machine lists a folder alike. */
function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1;
}

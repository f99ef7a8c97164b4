import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { isRecord } from "./front-matter.ts";

/** The content of a Markdown file. Times are milliseconds since the Unix epoch. */
export interface ScannedFile {
  /** Relative to the workspace, with `/` as separator, in NFC. */
  readonly path: string;
  readonly name: string;
  /** Without byte order mark, with `\n` line ends. Invalid UTF-8 becomes U+FFFD. */
  readonly text: string;
  readonly createdAt: number;
  readonly editedAt: number;
}

/** The relevant content of a folder. */
export interface ScannedFolder {
  /** Empty for the workspace itself. */
  readonly path: string;
  readonly name: string;
  readonly folders: readonly ScannedFolder[];
  readonly files: readonly ScannedFile[];
  /** Paths of files that are not pages, which links may name. */
  readonly others: readonly string[];
  /** `_workspace.yml`, `_people.yml` and `_database.yml`, by name. */
  readonly descriptions: ReadonlyMap<string, ScannedFile>;
  readonly createdAt: number;
  readonly editedAt: number;
}

/** The files of earlier scans by path, so that unchanged files are not read again. */
export type ReadFiles = Map<
  string,
  { readonly size: number; readonly changedAt: number; readonly file: ScannedFile }
>;

const page = /\.mdx?$/i;
const maxOpenFiles = 64;
const descriptions = new Set(["_database.yml", "_people.yml", "_workspace.yml"]);

/** Scans a folder recursively. Ignores dot files, and symbolic links, which could leave the workspace or form cycles. */
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
      maxOpenFiles,
      files.filter((file) => page.test(file.name)),
      read,
    ),
    atMost(
      maxOpenFiles,
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
 * Maps items with limited concurrency, because a large tree would open too many files at once. Skips files that
 * were moved or removed since the folder was listed.
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

/** In code unit order, which is the same on every machine. */
function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1;
}

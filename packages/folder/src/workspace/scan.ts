import { isUtf8 } from "node:buffer";
import type { Dirent, Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import path from "node:path";
import { isRecord } from "./front-matter.ts";
import { OpenFolder } from "./open-folder.ts";

/** The content of a Markdown file. Times are milliseconds since the Unix epoch. */
export interface ScannedFile {
  /** Relative to the workspace, with `/` as separator, in NFC. */
  readonly path: string;
  readonly name: string;
  /** Without byte order mark, with `\n` line ends. Invalid UTF-8 becomes U+FFFD. */
  readonly text: string;
  /** Whether all of it is valid UTF-8. */
  readonly isUtf8: boolean;
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
  /** The settings of tools, by file name, and the hidden folders of tools, whose settings may be unreadable (null). */
  readonly tools: ReadonlyMap<string, ScannedFile | null>;
  /** The entries that are not read, by path. */
  readonly skipped: readonly SkippedEntry[];
  readonly createdAt: number;
  readonly editedAt: number;
}

/** A file or folder that is not read. */
interface SkippedEntry {
  readonly path: string;
  readonly reason: SkipReason;
}

/**
 * `link`: a symbolic link, which could leave the workspace or form a cycle; `name`: not valid UTF-8; `size`: larger than
 * `maxFileBytes`; `access`: the system denies access.
 */
export type SkipReason = "link" | "name" | "size" | "access";

/** The files of a scan by path, so that the next one does not read unchanged files again. */
export type ReadFiles = ReadonlyMap<string, ReadFile>;

interface ReadFile {
  readonly stats: Stats;
  readonly file: ScannedFile;
}

/** Larger files are not read. */
export const maxFileBytes = 5 * 1024 * 1024;

const page = /\.mdx?$/i;
/** Their contents are in memory at once. */
const maxOpenFiles = 16;
const descriptions = new Set(["_database.yml", "_people.yml", "_workspace.yml"]);

/** The files in which tools for folders of Markdown keep their settings, and the hidden folders that they make. */
const settings =
  /^(?:book\.toml|hugo\.(?:toml|ya?ml|json)|config\.(?:toml|ya?ml|edn)|(?:docusaurus|astro)\.config\.[cm]?[jt]s)$/;
const toolFolders = new Set([".obsidian", ".vitepress"]);
const settingsInside = /^config\.[cm]?[jt]s$/;

/** Whether a file's name is that of a tool's settings. */
export function isSettings(name: string): boolean {
  return settings.test(name);
}

/** Whether a file's name is that of a page. */
export function isPage(name: string): boolean {
  return page.test(name);
}

/** Whether a file describes the workspace, its people or a database. */
export function isDescription(name: string): boolean {
  return descriptions.has(name);
}

/**
 * Scans a folder recursively. Ignores dot files, and never follows a symbolic link below `directory`, whose own path has
 * none. Throws if the folder, or the disk, cannot be read.
 */
export async function scanFolder(
  directory: string,
  known: ReadFiles,
): Promise<{ readonly folder: ScannedFolder; readonly files: ReadFiles }> {
  const root = await OpenFolder.open(directory);
  try {
    const files = new Map<string, ReadFile>();
    return { folder: await scanOpenFolder(root, "", { known, files }), files };
  } finally {
    await root.close();
  }
}

/** The files of the scan before, and those of this one so far. */
interface Scan {
  readonly known: ReadFiles;
  readonly files: Map<string, ReadFile>;
}

async function scanOpenFolder(open: OpenFolder, folderPath: string, scan: Scan): Promise<ScannedFolder> {
  const [found, { birthtimeMs, mtimeMs }] = await Promise.all([open.entries(), open.stats()]);
  const entries = found.filter((entry) => !entry.name.startsWith(".")).sort(byName);
  const skipped: SkippedEntry[] = [];
  const below = (entry: Dirent) => joinPath(folderPath, entry.name.normalize("NFC"));
  const skip = (entry: Dirent, reason: SkipReason) => skipped.push({ path: below(entry), reason });

  const each = <T>(count: number, some: readonly Dirent[], work: (entry: Dirent) => Promise<T>) =>
    atMost(count, some, async (entry) => {
      try {
        return await work(entry);
      } catch (error) {
        const reason = reasonOf(error, entry.name);
        if (reason !== null) skip(entry, reason);
        return null;
      }
    });
  const readFile = (entry: Dirent) => readPage(open, entry.name, below(entry), scan);
  const readFolder = async (entry: Dirent) => {
    const folder = await open.openFolder(entry.name);
    try {
      return await scanOpenFolder(folder, below(entry), scan);
    } finally {
      await folder.close();
    }
  };

  const readSettings = async (entry: Dirent): Promise<[string, ScannedFile | null]> => {
    const inside = await open.openFolder(entry.name);
    try {
      const found = (await inside.entries()).find((one) => one.isFile() && settingsInside.test(one.name));
      const name = found?.name;
      return [entry.name, name ? await readPage(inside, name, `${below(entry)}/${name}`, scan) : null];
    } finally {
      await inside.close();
    }
  };

  const files = entries.filter((entry) => entry.isFile());
  for (const entry of entries) if (entry.isSymbolicLink()) skip(entry, "link");
  const [folders, pages, described, settingsFiles, toolFolder] = await Promise.all([
    each(
      1,
      entries.filter((entry) => entry.isDirectory()),
      readFolder,
    ),
    each(
      maxOpenFiles,
      files.filter(({ name }) => isPage(name)),
      readFile,
    ),
    each(
      maxOpenFiles,
      files.filter(({ name }) => isDescription(name)),
      readFile,
    ),
    each(
      maxOpenFiles,
      files.filter(({ name }) => isSettings(name)),
      readFile,
    ),
    each(
      1,
      found.filter((entry) => entry.isDirectory() && toolFolders.has(entry.name)),
      readSettings,
    ),
  ]);
  const tooLarge = skipped.filter(({ reason }) => reason === "size").map((entry) => entry.path);
  return {
    path: folderPath,
    name: path.posix.basename(folderPath),
    folders,
    files: pages,
    others: [...files.filter(({ name }) => !isPage(name)).map(below), ...tooLarge],
    descriptions: new Map(described.map((file) => [file.name, file])),
    tools: new Map([...settingsFiles.map((file) => [file.name, file] as const), ...toolFolder]),
    skipped: skipped.sort((a, b) => (a.path < b.path ? -1 : 1)),
    createdAt: Math.min(birthtimeMs || mtimeMs, mtimeMs),
    editedAt: mtimeMs,
  };
}

async function readPage(
  folder: OpenFolder,
  name: string,
  relative: string,
  { known, files }: Scan,
): Promise<ScannedFile> {
  const before = known.get(relative);
  if (before !== undefined && isSameFile(before.stats, await folder.statsOf(name))) {
    files.set(relative, before);
    return before.file;
  }
  const handle = await folder.openFile(name);
  try {
    const stats = await handle.stat();
    const file = fileOf(relative, stats, await readBytes(handle, stats));
    files.set(relative, { stats, file });
    return file;
  } finally {
    await handle.close();
  }
}

function fileOf(relative: string, { birthtimeMs, mtimeMs }: Stats, bytes: Uint8Array): ScannedFile {
  return {
    path: relative,
    name: path.posix.basename(relative),
    text: new TextDecoder().decode(bytes).replace(/\r\n?/g, "\n"),
    isUtf8: isUtf8(bytes),
    createdAt: Math.min(birthtimeMs || mtimeMs, mtimeMs),
    editedAt: mtimeMs,
  };
}

/** Programs can set a file's modification time, but not the time of its last change (`ctime`). */
function isSameFile(a: Stats, b: Stats): boolean {
  return b.isFile() && a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.ctimeMs === b.ctimeMs;
}

/** Reads a file, and no more bytes than it had at first, even if it grows during the read. Throws `Skipped`. */
async function readBytes(handle: FileHandle, stats: Stats): Promise<Uint8Array> {
  // Something else took the place of the file since the folder was listed.
  if (!stats.isFile()) throw new Skipped(null);
  if (stats.size > maxFileBytes) throw new Skipped("size");
  const bytes = Buffer.allocUnsafe(stats.size);
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

/** Ends the reading of one entry: it is not read, or has gone since the folder was listed (null). */
class Skipped extends Error {
  readonly reason: SkipReason | null;

  constructor(reason: SkipReason | null) {
    super(`skipped: ${reason ?? "gone"}`);
    this.reason = reason;
  }
}

/** The reason why an entry is skipped; null if it was moved or removed since the folder was listed. Throws other errors again. */
function reasonOf(error: unknown, name: string): SkipReason | null {
  if (error instanceof Skipped) return error.reason;
  switch (isRecord(error) ? error.code : null) {
    case "ELOOP":
      return "link";
    case "EACCES":
    case "EPERM":
      return "access";
    case "ENOENT":
      // Bytes that are not UTF-8 are listed as U+FFFD, which then names nothing.
      return name.includes("\ufffd") ? "name" : null;
    case "ENOTDIR":
    case "ENXIO":
      return null;
    default:
      throw error;
  }
}

/** Maps items with limited concurrency, because a large tree would open too many files at once. Leaves out nulls. */
async function atMost<T, R>(
  count: number,
  items: readonly T[],
  work: (item: T) => Promise<R | null>,
): Promise<R[]> {
  const results: (R | null)[] = [];
  const pending = items.entries();
  const workSome = async () => {
    for (const [index, item] of pending) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: count }, workSome));
  return results.filter((result) => result !== null);
}

function joinPath(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** In code unit order, which is the same on every machine. */
function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1;
}

import type { Dirent, Stats } from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { leftOutFor } from "./left-out.ts";
import { OpenFolder } from "./open-folder.ts";
import {
  isUnread,
  maxDepth,
  type ReadFile,
  readWhole,
  type ScannedFile,
  Skipped,
  type SkipReason,
  sameFile,
  sameStamp,
  skipReasonOf,
  timesOf,
} from "./scanned-file.ts";

/** The relevant content of a folder. A folder without a change is the same object in the next scan. */
export interface ScannedFolder {
  /** Empty for the workspace itself. */
  readonly path: string;
  /** The path as it is on the disk, where names need not be in NFC. */
  readonly diskPath: string;
  readonly name: string;
  /** Tells whether another folder has taken its path. */
  readonly identity: string;
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
  /** The files that were read, by name, so that the next scan does not read unchanged ones again. Only scans use it. */
  readonly read: Map<string, ReadFile>;
  readonly createdAt: number;
  readonly editedAt: number;
}

/** Lists a folder and all that are below it. */
export function withFolders(folder: ScannedFolder): ScannedFolder[] {
  return [folder, ...folder.folders.flatMap(withFolders)];
}

/** A file or folder that is not read. */
interface SkippedEntry {
  readonly path: string;
  readonly reason: SkipReason;
}

/** The paths of files and folders that may have changed; null for all. */
export type Hints = ReadonlySet<string> | null;

const page = /\.mdx?$/i;
/** Their contents are in memory at once. */
const maxOpenFiles = 16;
/** Yields to the event loop after this many entries of a folder. */
const batchSize = 500;
const descriptions = new Set(["_database.yml", "_people.yml", "_workspace.yml"]);

/** The files in which tools for folders of Markdown keep their settings, and the hidden folders that they make. */
const settings =
  /^(?:book\.toml|hugo\.(?:toml|ya?ml|json)|config\.(?:toml|ya?ml|edn)|(?:docusaurus|astro)\.config\.[cm]?[jt]s)$/;
const toolFolderNames = new Set([".obsidian", ".vitepress"]);
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
 * none. Throws if the folder, or the disk, cannot be read. Looks only at what the hints name, and at what is new, if there
 * was a scan before; what the system no longer gives access to stays as it was then.
 */
export async function scanFolder(
  directory: string,
  before: ScannedFolder | null = null,
  hints: Hints = null,
): Promise<ScannedFolder> {
  const root = await openRoot(directory);
  const at = { path: "", diskPath: "" };
  try {
    const look = { hints: before === null || hints?.has("") ? null : hints, arrived: [] };
    const now = await new FolderScan(root, at, before, look).run();
    const twice = seenTwice(now, look.arrived);
    if (twice.size === 0) return now;
    return await new FolderScan(root, at, now, { hints: twice, arrived: [] }).run();
  } finally {
    await root.close();
  }
}

/**
 * The folder cannot be read, or is empty, as the place of a disk is that is not mounted. What is known of its pages stays.
 */
export class FolderUnavailable extends Error {
  constructor(directory: string, reason: string, options?: ErrorOptions) {
    super(`failed to read the folder ${directory}: ${reason}`, options);
  }

  /** The failure that an error of the system caused. */
  static because(directory: string, cause: unknown): FolderUnavailable {
    return new FolderUnavailable(directory, cause instanceof Error ? cause.message : String(cause), {
      cause,
    });
  }
}

async function openRoot(directory: string): Promise<OpenFolder> {
  const root = await OpenFolder.open(directory).catch((error: unknown) => {
    throw FolderUnavailable.because(directory, error);
  });
  if (!(await root.isEmpty())) return root;
  await root.close();
  throw new FolderUnavailable(directory, "it is empty");
}

/** The identity of a folder, whatever its path. */
export function identityOf({ dev, ino, birthtimeMs }: Stats): string {
  return `${dev}:${ino}:${birthtimeMs}`;
}

/**
 * Finds the paths that share an inode with a new file. A file that was moved is seen at its former place as well if that was read
 * before the move, or if no hint names it yet. Hard links share an inode too.
 */
function seenTwice(folder: ScannedFolder, arrived: readonly ReadFile[]): Set<string> {
  const inodes = new Set(arrived.map(({ stamp }) => stamp.ino));
  if (inodes.size === 0) return new Set();
  const files = withFolders(folder)
    .flatMap(({ read }) => [...read.values()])
    .filter(({ stamp }) => inodes.has(stamp.ino));
  const places = Map.groupBy(files, ({ stamp: { dev, ino } }) => `${dev}:${ino}`);
  return new Set(
    [...places.values()].flatMap((same) => (same.length > 1 ? same.map(({ file }) => file.path) : [])),
  );
}

interface Look {
  readonly hints: Hints;
  /** Receives the files that were not at their paths before. */
  readonly arrived: ReadFile[];
}

/** The scan of one folder. */
class FolderScan {
  readonly #open: OpenFolder;
  readonly #path: string;
  readonly #diskPath: string;
  readonly #before: ScannedFolder | null;
  readonly #hints: Hints;
  readonly #arrived: ReadFile[];
  readonly #skipped: SkippedEntry[] = [];
  readonly #read = new Map<string, ReadFile>();

  constructor(
    open: OpenFolder,
    { path, diskPath }: Pick<ScannedFolder, "path" | "diskPath">,
    before: ScannedFolder | null,
    { hints, arrived }: Look,
  ) {
    this.#open = open;
    this.#path = path;
    this.#diskPath = diskPath;
    this.#before = before;
    this.#hints = hints;
    this.#arrived = arrived;
  }

  async run(): Promise<ScannedFolder> {
    const [found, stats] = await Promise.all([this.#open.entries(), this.#open.stats()]);
    const entries = found.filter((entry) => !entry.name.startsWith(".")).sort(byName);
    const files = entries.filter((entry) => entry.isFile());
    for (const entry of entries) if (entry.isSymbolicLink()) this.#skip(entry, "link");
    const known = new Map(this.#before?.folders.map((folder) => [folder.path, folder]));
    const [folders, pages, described, settingsFiles, toolFolders] = await Promise.all([
      this.#each(
        1,
        entries.filter((entry) => entry.isDirectory()),
        (entry) => this.#readFolder(entry, known.get(this.#below(entry)) ?? null),
        (entry) => known.get(this.#below(entry)) ?? null,
      ),
      this.#readFiles(files.filter(({ name }) => isPage(name))),
      this.#readFiles(files.filter(({ name }) => isDescription(name))),
      this.#readFiles(files.filter(({ name }) => isSettings(name))),
      this.#each(
        1,
        found.filter((entry) => entry.isDirectory() && toolFolderNames.has(entry.name)),
        (entry) => this.#readToolFolder(entry.name),
        ({ name }) => [name, null] as const,
      ),
    ]);
    const tooLarge = this.#skipped.filter(({ reason }) => reason === "size").map((entry) => entry.path);
    const scanned: ScannedFolder = {
      path: this.#path,
      diskPath: this.#diskPath,
      name: path.posix.basename(this.#path),
      identity: identityOf(stats),
      folders,
      files: pages,
      others: [...files.filter(({ name }) => !isPage(name)).map((entry) => this.#below(entry)), ...tooLarge],
      descriptions: new Map(described.map((file) => [file.name, file])),
      tools: new Map([...settingsFiles.map((file) => [file.name, file] as const), ...toolFolders]),
      skipped: this.#skipped.sort((a, b) => (a.path < b.path ? -1 : 1)),
      read: this.#read,
      ...timesOf(stats),
    };
    if (this.#before === null || !sameFolder(this.#before, scanned)) return scanned;
    this.#before.read.clear();
    for (const [name, file] of this.#read) this.#before.read.set(name, file);
    return this.#before;
  }

  /** The hidden folder of a tool, with its settings if there are any. */
  async #readToolFolder(name: string): Promise<readonly [name: string, settings: ScannedFile | null]> {
    const before = this.#before?.tools.get(name) ?? null;
    const inside = await this.#open.openFolder(name);
    try {
      const found = (await inside.entries()).find(
        (entry) => entry.isFile() && settingsInside.test(entry.name),
      );
      if (found === undefined) return [name, null];
      const handle = await inside.openFile(found.name);
      try {
        const { file } = await readWhole(handle, joinPath(joinPath(this.#path, name), found.name));
        return [name, before !== null && sameFile(before, file) ? before : file];
      } finally {
        await handle.close();
      }
    } finally {
      await inside.close();
    }
  }

  #below(entry: Dirent): string {
    return joinPath(this.#path, entry.name.normalize("NFC"));
  }

  #skip(entry: Dirent, reason: SkipReason): void {
    this.#skipped.push({ path: this.#below(entry), reason });
  }

  async #readFolder(entry: Dirent, before: ScannedFolder | null): Promise<ScannedFolder> {
    const place = this.#below(entry);
    if (place.split("/").length > maxDepth) throw new Skipped("depth");
    const hints = before === null ? null : hintsBelow(this.#hints, place);
    if (before !== null && hints?.size === 0) return before;
    const folder = await this.#open.openFolder(entry.name);
    try {
      const diskPath = joinPath(this.#diskPath, entry.name);
      return await new FolderScan(folder, { path: place, diskPath }, before, {
        hints,
        arrived: this.#arrived,
      }).run();
    } finally {
      await folder.close();
    }
  }

  /** Reads the files that have changed. One to which the system no longer gives access stays as it was. */
  async #readFiles(entries: readonly Dirent[]): Promise<ScannedFile[]> {
    const known = new Map<string, ScannedFile>();
    for (const [index, { name }] of entries.entries()) {
      if (index % batchSize === batchSize - 1) await setImmediate();
      const before = this.#before?.read.get(name);
      if (before === undefined || !this.#isSame(before, name)) continue;
      this.#read.set(name, before);
      known.set(name, before.file);
    }
    const keep = (name: string) => {
      const before = this.#before?.read.get(name);
      if (before !== undefined) this.#read.set(name, before);
      return before?.file ?? null;
    };
    const changed = await this.#each(
      maxOpenFiles,
      entries.filter(({ name }) => !known.has(name)),
      ({ name }) => this.#readPage(name),
      ({ name }) => keep(name),
    );
    return changed.length === 0 ? [...known.values()] : [...known.values(), ...changed].sort(byName);
  }

  async #readPage(name: string): Promise<ScannedFile> {
    const relative = joinPath(this.#path, name.normalize("NFC"));
    const before = this.#before?.read.get(name);
    const handle = await this.#open.openFile(name);
    try {
      const read = await readWhole(handle, relative);
      const { file } = read;
      const reason = leftOutFor(file);
      if (reason !== null) throw new Skipped(reason);
      const isEqual = before !== undefined && sameFile(before.file, file);
      const kept = isEqual ? { ...read, file: before.file } : read;
      this.#read.set(name, kept);
      if (before?.stamp.ino !== kept.stamp.ino) this.#arrived.push(kept);
      return kept.file;
    } finally {
      await handle.close();
    }
  }

  #isSame({ stamp, isSettled, file }: ReadFile, name: string): boolean {
    if (leftOutFor(file) !== null) return false;
    if (this.#hints !== null && !this.#hints.has(file.path)) return true;
    if (!isSettled) return false;
    try {
      const stats = this.#open.statsOf(name);
      return stats.isFile() && sameStamp(stamp, stats);
    } catch {
      // It has gone meanwhile, as reading it will find.
      return false;
    }
  }

  /** Maps entries. `kept` is what is left of an entry to which the system denies access. */
  #each<T>(
    count: number,
    some: readonly Dirent[],
    work: (entry: Dirent) => Promise<T>,
    kept: (entry: Dirent) => T | null,
  ): Promise<T[]> {
    return atMost(count, some, async (entry) => {
      try {
        return await work(entry);
      } catch (error) {
        const reason = skipReasonOf(error, entry.name);
        if (reason !== null) this.#skip(entry, reason);
        return reason !== null && reason !== "fault" && isUnread(reason) ? kept(entry) : null;
      }
    });
  }
}

/** The hints about what is in a folder; null (all of it) if one names the folder itself. */
function hintsBelow(hints: Hints, folder: string): Hints {
  if (hints === null || hints.has(folder)) return null;
  return new Set([...hints].filter((hint) => hint.startsWith(`${folder}/`)));
}

/** Whether two scans are equal. Unchanged files and folders are the same objects. */
function sameFolder(a: ScannedFolder, b: ScannedFolder): boolean {
  return (
    a.identity === b.identity &&
    same(a.files, b.files, (x, y) => x === y) &&
    same(a.others, b.others, (x, y) => x === y) &&
    same(a.skipped, b.skipped, (x, y) => x.path === y.path && x.reason === y.reason) &&
    same([...a.descriptions.values()], [...b.descriptions.values()], (x, y) => x === y) &&
    same([...a.tools], [...b.tools], ([x, one], [y, other]) => x === y && one === other) &&
    same(a.folders, b.folders, (x, y) => x === y)
  );
}

function same<T>(a: readonly T[], b: readonly T[], alike: (x: T, y: T) => boolean): boolean {
  return (
    a.length === b.length &&
    a.every((item, index) => {
      const other = b[index];
      return other !== undefined && alike(item, other);
    })
  );
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
    for (const [index, item] of pending) {
      if (index % batchSize === batchSize - 1) await setImmediate();
      results[index] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: count }, workSome));
  return results.filter((result) => result !== null);
}

function joinPath(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** In code unit order, which is the same on every machine. */
function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}

import { realpath } from "node:fs/promises";
import path from "node:path";
import type { PageDates } from "./dates.ts";
import type { Warning } from "./entry.ts";
import { GitDates } from "./git-dates.ts";
import { type LinkMemory, openLinkMemory } from "./link-memory.ts";
import { type ReadFiles, type ScannedFolder, scanFolder } from "./scan.ts";
import { createWorkspace, type Workspace } from "./workspace.ts";

/** A workspace that can be read again. */
export interface OpenWorkspace {
  /** The workspace as it was last read. Until `ready`, its pages may have other dates. */
  current(): Workspace;
  /** Resolves when the dates of pages are known, which can take a while if they come from git. */
  ready(): Promise<Workspace>;
  /** Scans the folder again. Only changed files are read, and ids stay the same. */
  reload(): Promise<Workspace>;
}

export interface OpenOptions {
  /** Milliseconds since the Unix epoch. */
  readonly clock?: () => number;
  /** Stores what is remembered of pages across restarts; null (the default) keeps it in memory. */
  readonly linksFile?: string | null;
  /** Receives each warning once. */
  readonly onWarning?: (warning: Warning) => void;
}

/** Opens a folder as a workspace. Throws if it cannot be read. */
export async function openWorkspace(directory: string, options: OpenOptions = {}): Promise<OpenWorkspace> {
  const { clock = Date.now, linksFile = null, onWarning = () => {} } = options;
  const folder = await realpath(directory);
  const memory = await openLinkMemory(linksFile, clock);
  return new FolderWorkspace(folder, await scanFolder(folder, new Map()), { clock, memory, onWarning });
}

interface Scanned {
  readonly folder: ScannedFolder;
  readonly files: ReadFiles;
}

interface Parts extends Required<Pick<OpenOptions, "clock" | "onWarning">> {
  readonly memory: LinkMemory;
}

class FolderWorkspace implements OpenWorkspace {
  readonly #path: string;
  readonly #parts: Parts;
  readonly #git: GitDates;
  readonly #first: Promise<Workspace>;
  #scanned: Scanned;
  #dates: ReadonlyMap<string, PageDates> | null = null;
  #workspace: Workspace;
  #reloading: Promise<Workspace> | null = null;
  #warned = new Set<string>();

  constructor(folder: string, scanned: Scanned, parts: Parts) {
    this.#path = folder;
    this.#parts = parts;
    this.#git = new GitDates(folder);
    this.#scanned = scanned;
    this.#workspace = this.#create(scanned, new Map());
    this.#first = this.#load(scanned);
    // `ready` reads the folder again if this failed.
    this.#first.catch(() => {});
  }

  current(): Workspace {
    return this.#workspace;
  }

  ready(): Promise<Workspace> {
    return this.#first.catch(() => this.reload());
  }

  reload(): Promise<Workspace> {
    this.#reloading ??= this.#scanAgain().finally(() => {
      this.#reloading = null;
    });
    return this.#reloading;
  }

  async #scanAgain(): Promise<Workspace> {
    await this.#first.catch(() => {});
    return this.#load(await scanFolder(this.#path, this.#scanned.files));
  }

  /** Replaces the workspace if the folder or the dates in git have changed. */
  async #load(scanned: Scanned): Promise<Workspace> {
    const dates = await this.#git.read(this.#parts.clock());
    if (dates !== this.#dates || !sameFolder(this.#scanned.folder, scanned.folder)) {
      const workspace = this.#create(scanned, dates);
      await this.#parts.memory.compare(workspace);
      this.#workspace = workspace;
      this.#dates = dates;
    }
    this.#scanned = scanned;
    return this.#workspace;
  }

  #create({ folder }: Scanned, git: ReadonlyMap<string, PageDates>): Workspace {
    const workspace = createWorkspace(folder, path.basename(this.#path), { git, now: this.#parts.clock() });
    const warnings = new Map(workspace.warnings.map((warning) => [JSON.stringify(warning), warning]));
    for (const [key, warning] of warnings) if (!this.#warned.has(key)) this.#parts.onWarning(warning);
    this.#warned = new Set(warnings.keys());
    return workspace;
  }
}

/** Whether two scans are equal. Unchanged files are the same objects. */
function sameFolder(a: ScannedFolder, b: ScannedFolder): boolean {
  return (
    a.path === b.path &&
    same(a.files, b.files, (x, y) => x === y) &&
    same(a.others, b.others, (x, y) => x === y) &&
    same(a.skipped, b.skipped, (x, y) => x.path === y.path && x.reason === y.reason) &&
    same([...a.descriptions.values()], [...b.descriptions.values()], (x, y) => x === y) &&
    same([...a.tools], [...b.tools], ([x, one], [y, other]) => x === y && one === other) &&
    same(a.folders, b.folders, sameFolder)
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

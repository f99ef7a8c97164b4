import { realpath } from "node:fs/promises";
import path from "node:path";
import type { WorkspaceOfFolder } from "./differences.ts";
import type { Warning } from "./entry.ts";
import { GitHistory } from "./git-history.ts";
import type { Origins } from "./origins.ts";
import { type ChangedNode, PageMemory } from "./page-memory.ts";
import { FolderUnavailable, type Hints, type ScannedFolder, scanFolder } from "./scan.ts";
import { createWorkspace, type Workspace } from "./workspace.ts";

/** A workspace that can be read again. */
export interface OpenWorkspace {
  /** The path of its folder, without links. */
  readonly directory: string;
  /** The workspace as it was last read. Until `ready`, its pages may have other dates. */
  current(): Workspace;
  /** Resolves when the dates of pages are known, which can take a while if they come from git. */
  ready(): Promise<Workspace>;
  /**
   * Scans the folder again, or only what the hints name. Only changed files are read, and ids stay the same. What was changed
   * before the call is in the result. Throws `FolderUnavailable` if the folder cannot be read; the workspace then stays.
   */
  reload(hints?: Hints): Promise<Workspace>;
  /** Calls the listener with what each later scan finds changed. Returns a function that ends this. */
  subscribe(listener: ChangeListener): () => void;
  /** The folder as it was last scanned. */
  scanned(): ScannedFolder;
  /** Whether an id that no page has may be that of one in a part of the folder that cannot be read. */
  isUnread(id: string): boolean;
  /** Whether any part of the folder cannot be read. */
  hasUnread(): boolean;
}

export type ChangeListener = (changed: readonly ChangedNode[]) => void;

export interface OpenOptions {
  /** Milliseconds since the Unix epoch. */
  readonly clock?: () => number;
  /** Stores what is remembered of pages across restarts; null (the default) keeps it in memory. */
  readonly memoryFile?: string | null;
  /** Receives each warning once. */
  readonly onWarning?: (warning: Warning) => void;
}

/** Opens a folder as a workspace. Throws `FolderUnavailable` if it cannot be read. */
export async function openWorkspace(directory: string, options: OpenOptions = {}): Promise<OpenWorkspace> {
  const { clock = Date.now, memoryFile = null, onWarning = () => {} } = options;
  const folder = await realpath(directory).catch((error: unknown) => {
    throw FolderUnavailable.because(directory, error);
  });
  const memory = await PageMemory.open(memoryFile, clock);
  return new FolderWorkspace(folder, await scanFolder(folder), { clock, memory, onWarning });
}

interface Parts extends Required<Pick<OpenOptions, "clock" | "onWarning">> {
  readonly memory: PageMemory;
}

class FolderWorkspace implements OpenWorkspace {
  readonly directory: string;
  readonly #parts: Parts;
  readonly #git: GitHistory;
  readonly #first: Promise<Workspace>;
  readonly #listeners = new Set<ChangeListener>();
  #now: WorkspaceOfFolder;
  #dates: GitHistory["dates"];
  /** Resolves when the scan that runs has ended. */
  #running: Promise<unknown>;
  /** The scan after that, and its hints. */
  #next: { readonly scan: Promise<Workspace>; hints: Hints } | null = null;
  #warned = new Set<string>();

  constructor(directory: string, folder: ScannedFolder, parts: Parts) {
    this.directory = directory;
    this.#parts = parts;
    this.#git = new GitHistory(directory, parts.memory.head);
    this.#dates = this.#git.dates;
    this.#now = this.#create(folder, parts.memory.follow(folder, new Map()));
    this.#first = this.#load(folder, true);
    // `ready` reads the folder again if this failed.
    this.#running = this.#first.catch(() => {});
  }

  current(): Workspace {
    return this.#now.workspace;
  }

  scanned(): ScannedFolder {
    return this.#now.folder;
  }

  ready(): Promise<Workspace> {
    return this.#first.catch(() => this.reload());
  }

  isUnread(id: string): boolean {
    return this.#parts.memory.isUnread(id);
  }

  hasUnread(): boolean {
    return this.#parts.memory.hasUnread;
  }

  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  reload(hints: Hints = null): Promise<Workspace> {
    if (this.#next === null) this.#next = { scan: this.#running.then(() => this.#runNext()), hints };
    else this.#next.hints = union(this.#next.hints, hints);
    return this.#next.scan;
  }

  #runNext(): Promise<Workspace> {
    const hints = this.#next?.hints ?? null;
    this.#next = null;
    const scan = scanFolder(this.directory, this.#now.folder, hints).then((folder) =>
      this.#load(folder, false),
    );
    this.#running = scan.catch(() => {});
    return scan;
  }

  /** Replaces the workspace if the folder or the dates in git have changed. */
  async #load(folder: ScannedFolder, isFirst: boolean): Promise<Workspace> {
    const { memory, clock } = this.#parts;
    const renamed = await this.#git.read(clock());
    const { dates } = this.#git;
    const before = isFirst ? null : this.#now;
    if (before !== null && dates === this.#dates && folder === before.folder) return before.workspace;
    const now =
      isFirst && dates === this.#dates && renamed.size === 0
        ? this.#now
        : this.#create(folder, memory.follow(folder, renamed));
    const changed = await memory.compare(now, before, this.#git.head);
    this.#now = now;
    this.#dates = dates;
    for (const listener of this.#listeners) if (changed.length > 0) listener(changed);
    return now.workspace;
  }

  #create(folder: ScannedFolder, origins: Origins): WorkspaceOfFolder {
    const dates = { git: this.#git.dates, now: this.#parts.clock() };
    const workspace = createWorkspace(folder, path.basename(this.directory), dates, origins);
    const warnings = new Map(workspace.warnings.map((warning) => [JSON.stringify(warning), warning]));
    for (const [key, warning] of warnings) if (!this.#warned.has(key)) this.#parts.onWarning(warning);
    this.#warned = new Set(warnings.keys());
    return { folder, workspace };
  }
}

function union(a: Hints, b: Hints): Hints {
  return a === null || b === null ? null : a.union(b);
}

import { realpath } from "node:fs/promises";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { DateSources } from "./dates.ts";
import type { WorkspaceOfFolder } from "./differences.ts";
import type { Entry, Warning } from "./entry.ts";
import { type Forge, readForge } from "./forge.ts";
import { GitHistory, type Renamed } from "./git-history.ts";
import { idsIn } from "./ids.ts";
import type { Origins } from "./origins.ts";
import { type ChangedNode, PageMemory } from "./page-memory.ts";
import { FolderUnavailable, type Hints, type ScannedFolder, scanFolder } from "./scan.ts";
import { textEdits } from "./scan-differences.ts";
import { differingTags, type HeldTag } from "./tags.ts";
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
   * Scans the folder again. Only changed files are read, and ids stay the same. What was changed before the call is in the
   * result. Throws `FolderUnavailable` if the folder cannot be read; the workspace then stays.
   */
  reload(): Promise<Workspace>;
  /** Scans what the hints name. Links of other pages whose targets have changed are left to `followLinks`. */
  look(hints: Hints): Promise<Workspace>;
  /**
   * Finds the pages whose links lead elsewhere since the last look. Does nothing if there can be none, and leaves the rest to the next
   * call if `mayStop`, which is asked again and again, says so.
   */
  followLinks(mayStop?: () => boolean): Promise<void>;
  /** Calls the listener with what each later scan finds changed. Returns a function that ends this. */
  subscribe(listener: ChangeListener): () => void;
  /** The folder as it was last scanned. */
  scanned(): ScannedFolder;
  /** Milliseconds since the last scan ended. */
  age(): number;
  /** Whether an id that no page has may be that of one in a part of the folder that cannot be read. */
  isUnread(id: string): boolean;
  /** Whether any part of the folder cannot be read. */
  hasUnread(): boolean;
}

type ChangeListener = (changed: readonly ChangedNode[]) => void;

export interface OpenOptions {
  /** Milliseconds since the Unix epoch. */
  readonly clock?: () => number;
  /** Stores what is remembered of pages across restarts; null (the default) keeps it in memory. */
  readonly memoryFile?: string | null;
  /**
   * Whether times are rounded down to the minute, as at Notion, so that changes shortly after one another have the same time.
   * Otherwise (the default) each is later than the one before.
   */
  readonly roundsTimes?: boolean;
  /**
   * The id of the workspace, from which those in it are derived, so that they differ between folders. With null (the default) they
   * follow from names, paths and front matter alone.
   */
  readonly workspaceId?: string | null;
  /** Receives each warning once. */
  readonly onWarning?: (warning: Warning) => void;
}

/** Opens a folder as a workspace. Throws `FolderUnavailable` if it cannot be read. */
export async function openWorkspace(directory: string, options: OpenOptions = {}): Promise<OpenWorkspace> {
  const { clock = Date.now, memoryFile = null, roundsTimes = false, onWarning = () => {} } = options;
  const { workspaceId = null } = options;
  const folder = await realpath(directory).catch((error: unknown) => {
    throw FolderUnavailable.because(directory, error);
  });
  const memory = await PageMemory.open(memoryFile, { clock, roundsTimes, idOf: idsIn(workspaceId) });
  const forge = await readForge(folder);
  return new FolderWorkspace(folder, await scanFolder(folder), {
    clock,
    roundsTimes,
    memory,
    forge,
    workspaceId,
    onWarning,
  });
}

interface Parts extends Required<Pick<OpenOptions, "clock" | "roundsTimes" | "workspaceId" | "onWarning">> {
  readonly memory: PageMemory;
  readonly forge: Forge | null;
}

class FolderWorkspace implements OpenWorkspace {
  readonly directory: string;
  readonly #parts: Parts;
  readonly #git: GitHistory;
  readonly #first: Promise<Workspace>;
  readonly #listeners = new Set<ChangeListener>();
  #now: WorkspaceOfFolder;
  #dates: GitHistory["dates"];
  #readAt: number;
  /** Resolves when the scan that runs has ended. */
  #running: Promise<unknown>;
  /** The scan after that. */
  #next: (Wanted & { readonly scan: Promise<Workspace> }) | null = null;
  #warned = new Set<string>();

  constructor(directory: string, folder: ScannedFolder, parts: Parts) {
    this.directory = directory;
    this.#parts = parts;
    this.#git = new GitHistory(directory, parts.memory.head);
    this.#dates = this.#git.dates;
    this.#readAt = parts.clock();
    this.#now = this.#create(folder, parts.memory.follow(folder, null, new Map()));
    this.#first = this.#load(folder, { isFirst: true, changedAlone: false });
    // `ready` reads the folder again if this failed.
    this.#running = this.#first.catch(() => {});
  }

  current(): Workspace {
    return this.#now.workspace;
  }

  scanned(): ScannedFolder {
    return this.#now.folder;
  }

  age(): number {
    return this.#parts.clock() - this.#readAt;
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

  reload(): Promise<Workspace> {
    return this.#want({ hints: null, changedAlone: false });
  }

  look(hints: Hints): Promise<Workspace> {
    return this.#want({ hints, changedAlone: true });
  }

  async followLinks(mayStop = () => false): Promise<void> {
    // A scan that waits would run at the same time.
    if (this.#next !== null) return;
    const following = this.#running.then(() => this.#followNow(mayStop));
    this.#running = following.catch(() => {});
    await following;
  }

  async #followNow(mayStop: () => boolean): Promise<void> {
    const { memory } = this.#parts;
    if (memory.mayDiffer) this.#tell(await memory.followLinks(this.#now.workspace, mayStop));
  }

  #tell(changed: readonly ChangedNode[]): void {
    for (const listener of this.#listeners) if (changed.length > 0) listener(changed);
  }

  #want(wanted: Wanted): Promise<Workspace> {
    if (this.#next === null) this.#next = { ...wanted, scan: this.#running.then(() => this.#runNext()) };
    else {
      const { hints, changedAlone, scan } = this.#next;
      this.#next = {
        hints: hints === null || wanted.hints === null ? null : hints.union(wanted.hints),
        changedAlone: changedAlone && wanted.changedAlone,
        scan,
      };
    }
    return this.#next.scan;
  }

  #runNext(): Promise<Workspace> {
    const { hints = null, changedAlone = false } = this.#next ?? {};
    this.#next = null;
    const scan = scanFolder(this.directory, this.#now.folder, hints).then((folder) =>
      this.#load(folder, { isFirst: false, changedAlone }),
    );
    this.#running = scan.catch(() => {});
    return scan;
  }

  /** Replaces the workspace if the folder or the dates in git have changed. */
  async #load(
    folder: ScannedFolder,
    { isFirst, changedAlone }: { isFirst: boolean; changedAlone: boolean },
  ): Promise<Workspace> {
    const { memory, clock } = this.#parts;
    const renamed = await this.#git.read(clock());
    this.#readAt = clock();
    const { dates, head } = this.#git;
    const before = isFirst ? null : this.#now;
    const isSame = folder === this.#now.folder && dates === this.#dates && renamed.size === 0;
    if (isSame && !isFirst && (changedAlone || !memory.mayDiffer)) return this.#now.workspace;
    const { now, edited } = isSame
      ? { now: this.#now, edited: null }
      : this.#nextWorkspace(folder, before, renamed);
    // Links that wait are followed in all pages.
    const all = edited === null || (memory.mayDiffer && !changedAlone);
    const compared = await memory.compare(now, before, { head, changedAlone, edited: all ? null : edited });
    const tagged = changedTags(before?.workspace ?? null, now.workspace);
    const changed = [...new Map([...compared, ...tagged].map((node) => [node.id, node])).values()];
    this.#now = now;
    this.#dates = dates;
    this.#tell(changed);
    return now.workspace;
  }

  /** The workspace after a scan, and the pages that were edited if it differs in their texts alone. */
  #nextWorkspace(
    folder: ScannedFolder,
    before: WorkspaceOfFolder | null,
    renamed: Renamed,
  ): { readonly now: WorkspaceOfFolder; readonly edited: readonly Entry[] | null } {
    const { memory } = this.#parts;
    const origins = memory.follow(folder, before?.folder ?? null, renamed);
    const isMoved = memory.hasMoved || this.#git.dates !== this.#dates;
    const edits = before === null || isMoved ? null : textEdits(before.folder, folder);
    const edited = edits && before?.workspace.edited(folder, edits, this.#dateSources());
    if (edited) return { now: { folder, workspace: edited.workspace }, edited: edited.entries };
    return { now: this.#create(folder, origins), edited: null };
  }

  #dateSources(): DateSources {
    const { clock, roundsTimes } = this.#parts;
    return { git: this.#git.dates, now: clock(), roundsTimes };
  }

  #create(folder: ScannedFolder, origins: Origins): WorkspaceOfFolder {
    const { forge, workspaceId } = this.#parts;
    const workspace = createWorkspace(folder, path.basename(this.directory), {
      dates: this.#dateSources(),
      origins,
      forge,
      workspaceId,
    });
    const warnings = new Map(workspace.warnings.map((warning) => [JSON.stringify(warning), warning]));
    for (const [key, warning] of warnings) if (!this.#warned.has(key)) this.#parts.onWarning(warning);
    this.#warned = new Set(warnings.keys());
    return { folder, workspace };
  }
}

/** The tags that have changed, and the pages whose tags differ. Empty until a reader has requested tags: before, none are read. */
function changedTags(before: Workspace | null, now: Workspace): ChangedNode[] {
  if (before?.hasReadTags !== true || before === now) return [];
  const [earlier, later] = [before.tags(), now.tags()];
  const hasOthers = (entry: Entry) => {
    const shown = before.entry(entry.id);
    return shown !== null && !isDeepStrictEqual(idsOf(earlier.of(shown)), idsOf(later.of(entry)));
  };
  return [
    ...differingTags(earlier, later).map(({ id }) => ({ of: "tag" as const, id })),
    // Also pages without an edit, since the files of a folder tell which tool it is of.
    ...now.entries.filter(hasOthers).map(({ kind, id }) => ({ of: kind, id })),
  ];
}

const idsOf = (held: readonly HeldTag[]) => held.map(({ tag, count }) => [tag.id, count]);

/** The parts that a scan looks at. */
interface Wanted {
  readonly hints: Hints;
  /** Whether links of unchanged pages wait. */
  readonly changedAlone: boolean;
}

import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { linksMayDiffer, looksSame, type WorkspaceOfFolder } from "./differences.ts";
import type { Entry } from "./entry.ts";
import { isRecord, minuteOf } from "./front-matter.ts";
import { idOf, parseId } from "./ids.ts";
import { type Journal, openJournal } from "./journal.ts";
import { findFolderMoves, findMoves } from "./moves.ts";
import { Origins, placeOf } from "./origins.ts";
import type { ScannedFile, ScannedFolder } from "./scan.ts";
import type { Workspace } from "./workspace.ts";

/** A page or database that was added, edited or removed, or whose links lead elsewhere. */
export interface ChangedNode {
  readonly of: Entry["kind"];
  readonly id: string;
}

/** What is remembered of a page or database. */
interface Remembered {
  readonly of: Entry["kind"];
  readonly origin: string;
  /** Digests of the text, and of the targets of links and the children. */
  readonly text: string;
  readonly links: string;
  /** The latest edit time that it has had. */
  readonly latest: number;
  /** The time at which it changed without a later date. */
  readonly changedAt: number | null;
}

const minute = 60_000;
/** Yields to the event loop after this many pages. */
const batchSize = 500;

/**
 * Remembers the pages of a folder, in a file if there is one, by the places of their texts: the path of the file, or that of
 * the folder with a slash. A lost or invalid file is survived.
 *
 * The text is remembered because the date of a page does not tell whether it has changed: programs restore the times of
 * files, and dates in front matter and git may not change. Targets of links are remembered because texts contain ids. A
 * page with another text or target counts as edited now. Where a text is found again tells which page has moved.
 */
export class PageMemory {
  readonly #clock: () => number;
  readonly #journal: Journal<Remembered>;
  #known: ReadonlyMap<string, Remembered>;
  /** The pages that have moved since, by their new places. */
  #moved: ReadonlyMap<string, string> = new Map();
  #unread: readonly string[] = [];
  readonly #ids = new Map<string, string>();

  private constructor(clock: () => number, journal: Journal<Remembered>) {
    this.#clock = clock;
    this.#journal = journal;
    this.#known = journal.items;
  }

  static async open(file: string | null, clock: () => number): Promise<PageMemory> {
    return new PageMemory(clock, await openJournal(file, parseRemembered));
  }

  /** The commit that was checked out when pages were last remembered. */
  get head(): string | null {
    return this.#journal.note;
  }

  /** Whether any part of the folder could not be read. */
  get hasUnread(): boolean {
    return this.#unread.length > 0;
  }

  /** Whether an id that no page has may be that of one in a part that could not be read. */
  isUnread(id: string): boolean {
    if (this.#unread.length === 0) return false;
    for (const [place, memory] of this.#known)
      if (idOfMemory(memory) === id) return this.#isBelowUnread(place);
    return true;
  }

  /** Chooses the origins of the pages in a scan. `renamed` are the files that git saw renamed, by their former paths. */
  follow(folder: ScannedFolder, renamed: ReadonlyMap<string, string>): Origins {
    const all = withFolders(folder);
    const folders = new Set(all.map(({ path }) => path));
    const texts = new Map(all.flatMap(({ files }) => files.map((file) => [file.path, digestOf(file)])));
    const denied = all.flatMap(({ skipped }) => skipped.filter(({ reason }) => reason === "access"));
    this.#unread = denied.map(({ path }) => path);
    const before = [...this.#known].flatMap(([place, { text }]) =>
      place.endsWith("/") || (this.#isBelowUnread(place) && !texts.has(place))
        ? []
        : [[place, text] as const],
    );
    const moves = findMoves(new Map(before), texts, renamed);
    const folderMoves = findFolderMoves(moves, (path) => folders.has(path));
    this.#moved = new Map([
      ...[...moves].map(([from, to]) => [to, from] as const),
      ...[...folderMoves].map(([from, to]) => [`${to}/`, `${from}/`] as const),
    ]);

    const origins = new Origins(this.#ids);
    const carry = (place: string, from: string) => {
      const memory = this.#known.get(from);
      if (memory !== undefined) origins.carry(place, memory.origin);
    };
    for (const [to, from] of this.#moved) carry(to, from);
    const isHere = (place: string) =>
      place.endsWith("/") ? folders.has(place.slice(0, -1)) : texts.has(place) && !moves.has(place);
    for (const place of this.#known.keys())
      if (!this.#moved.has(place) && (isHere(place) || this.#isBelowUnread(place))) carry(place, place);
    return origins;
  }

  /**
   * Compares a workspace with what is remembered, and remembers it. Updates the edit times of pages that have changed without a
   * later date. Returns what has changed, also against the workspace before. `head` is the commit that is checked out.
   */
  async compare(
    now: WorkspaceOfFolder,
    before: WorkspaceOfFolder | null,
    head: string | null,
  ): Promise<readonly ChangedNode[]> {
    const { entries } = now.workspace;
    const linksDiffer = before === null || linksMayDiffer(before, now);
    const remembered = new Map<string, Remembered>();
    const changed: ChangedNode[] = [];
    for (const [index, entry] of entries.entries()) {
      if (index % batchSize === batchSize - 1) await setImmediate();
      const known = this.#memoryOf(entry);
      const text = entry.file === null ? "" : digestOf(entry.file);
      const links = known?.text === text && !linksDiffer ? known.links : targetsOf(now.workspace, entry);
      const page = { of: entry.kind, origin: entry.origin, text, links };
      const memory = memoryAfter(known, page, entry.editedAt, this.#clock());
      remembered.set(placeOf(entry), memory);
      entry.editedAt = Math.max(entry.editedAt, memory.changedAt ?? 0);
      const isSame = known?.text === memory.text && known.links === memory.links;
      if (!isSame || !(before === null || isShownSame(before.workspace, entry)))
        changed.push({ of: entry.kind, id: entry.id });
    }
    changed.push(...this.#removed(now.workspace, remembered));
    await this.#journal.write(remembered, head);
    this.#known = remembered;
    this.#moved = new Map();
    return changed;
  }

  /** Finds what is no longer in the workspace. What cannot be read is remembered further. */
  #removed(workspace: Workspace, remembered: Map<string, Remembered>): ChangedNode[] {
    const removed: ChangedNode[] = [];
    for (const [place, memory] of this.#known) {
      const here = remembered.get(place);
      if (here?.of === memory.of && here.origin === memory.origin) continue;
      const id = idOfMemory(memory);
      if (workspace.entry(id) !== null) continue;
      if (here === undefined && this.#isBelowUnread(place)) remembered.set(place, memory);
      else removed.push({ of: memory.of, id });
    }
    return removed;
  }

  /** The memory of a page, where it is or was. */
  #memoryOf(entry: Entry): Remembered | undefined {
    const place = placeOf(entry);
    const memory = this.#known.get(this.#moved.get(place) ?? place);
    return memory?.of === entry.kind && memory.origin === entry.origin ? memory : undefined;
  }

  #isBelowUnread(place: string): boolean {
    return this.#unread.some((path) => place === path || place.startsWith(`${path}/`));
  }
}

function idOfMemory({ of, origin }: Remembered): string {
  return parseId(origin) ?? idOf(of, origin);
}

function isShownSame(before: Workspace, entry: Entry): boolean {
  const shown = before.entry(entry.id);
  return shown !== null && looksSame(shown, entry);
}

/** The targets of a page's links, and its children, which its text shows at the end. */
function targetsOf(workspace: Workspace, entry: Entry): string {
  const children = entry.kind === "database" ? [] : entry.children.filter(({ inTrash }) => !inTrash);
  const targets = [...workspace.leadsTo(entry), ...children.map(({ id }) => `child ${id}`)];
  return targets.length === 0 ? "" : digest(targets.join());
}

/** The memory of a page with these digests and this date of its own. */
function memoryAfter(
  before: Remembered | undefined,
  page: Pick<Remembered, "of" | "origin" | "text" | "links">,
  editedAt: number,
  now: number,
): Remembered {
  if (before === undefined) return { ...page, latest: editedAt, changedAt: null };
  const { latest, changedAt } = before;
  const isEdited = before.text !== page.text;
  if (isEdited && editedAt > latest) return { ...page, latest: editedAt, changedAt: null };
  if (!isEdited && before.links === page.links)
    return editedAt > latest ? { ...page, latest: editedAt, changedAt } : before;
  const changed = laterThan(Math.max(editedAt, latest), now);
  return { ...page, latest: changed, changedAt: changed };
}

/**
 * The current minute, or the one after `latest`. Readers do not trust a time of the last two minutes. Several changes
 * within a minute therefore do not move the time further ahead.
 */
function laterThan(latest: number, now: number): number {
  const next = minuteOf(now) + minute;
  return latest === next ? next : Math.max(minuteOf(now), latest + minute);
}

const digests = new WeakMap<ScannedFile, string>();

function digestOf(file: ScannedFile): string {
  const text = digests.get(file) ?? digest(file.text);
  digests.set(file, text);
  return text;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}

function withFolders(folder: ScannedFolder): ScannedFolder[] {
  return [folder, ...folder.folders.flatMap(withFolders)];
}

function parseRemembered(value: unknown): Remembered | null {
  if (!isRecord(value)) return null;
  const { of, origin, text, links, latest, changedAt } = value;
  if (of !== "page" && of !== "database") return null;
  if (typeof origin !== "string" || typeof text !== "string" || typeof links !== "string") return null;
  if (typeof latest !== "number" || (changedAt !== null && typeof changedAt !== "number")) return null;
  return { of, origin, text, links, latest, changedAt };
}

import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { linksMayDiffer, looksSame, type WorkspaceOfFolder } from "./differences.ts";
import type { Entry } from "./entry.ts";
import { isRecord, minuteOf } from "./front-matter.ts";
import type { IdOf } from "./ids.ts";
import { type Journal, openJournal } from "./journal.ts";
import { findFolderMoves, findMoves } from "./moves.ts";
import { newDerivedIds, Origins, placeOf } from "./origins.ts";
import type { ScannedFolder } from "./scan.ts";
import { differingFiles } from "./scan-differences.ts";
import { isUnread, type ScannedFile } from "./scanned-file.ts";
import type { Workspace } from "./workspace.ts";

/** A page, database or tag that was added, edited or removed, or whose links lead elsewhere. */
export interface ChangedNode {
  readonly of: Entry["kind"] | "tag";
  readonly id: string;
}

/** The memory of a page or database. */
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

/** Memories to write, by their places; null for those to forget. */
type Updates = Map<string, Remembered | null>;

/** A page that has gone, with the place that it had, and the time at which that was seen. */
interface Lost {
  readonly place: string;
  readonly memory: Remembered;
  readonly at: number;
}

/** The extent of a comparison. */
interface Comparison {
  readonly head: string | null;
  readonly changedAlone: boolean;
  readonly edited: readonly Entry[] | null;
}

const minute = 60_000;
/** A text that is found again after this time is that of another page. */
const lostFor = 10 * minute;
/** Yields to the event loop after this many pages. */
const batchSize = 500;

/** The times and ids of a folder. */
interface Rules {
  /** Milliseconds since the Unix epoch. */
  readonly clock: () => number;
  /** As in `OpenOptions`. */
  readonly roundsTimes: boolean;
  readonly idOf: IdOf;
}

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
  readonly #roundsTimes: boolean;
  readonly #idOf: IdOf;
  readonly #journal: Journal<Remembered>;
  /** The place of each origin. */
  readonly #places: Map<string, string>;
  readonly #ids = newDerivedIds();
  /** The pages that have moved since, by their new places. */
  #moved: ReadonlyMap<string, string> = new Map();
  /** The pages that have gone lately, by their origins: programs move files by removing them first. */
  readonly #lost = new Map<string, Lost>();
  /** The same by the places that the scan that was followed last has for them. */
  #lostAt: ReadonlyMap<string, Remembered> = new Map();
  #unread: readonly string[] = [];
  /** Whether links of pages whose texts are the same may have other targets. */
  #mayDiffer = true;
  /** The number of pages, from the first one, whose links were followed since then. */
  #followed = 0;

  private constructor({ clock, roundsTimes, idOf }: Rules, journal: Journal<Remembered>) {
    this.#clock = clock;
    this.#roundsTimes = roundsTimes;
    this.#idOf = idOf;
    this.#journal = journal;
    this.#places = new Map([...journal.items].map(([place, { origin }]) => [origin, place]));
  }

  static async open(file: string | null, rules: Rules): Promise<PageMemory> {
    return new PageMemory(rules, await openJournal(file, parseRemembered));
  }

  /** The commit that was checked out when pages were last remembered. */
  get head(): string | null {
    return this.#journal.note;
  }

  /** Whether any part of the folder could not be read. */
  get hasUnread(): boolean {
    return this.#unread.length > 0;
  }

  /** Whether `compare` has left links out, whose targets may be other ones. */
  get mayDiffer(): boolean {
    return this.#mayDiffer;
  }

  /** Whether the scan that was followed last found pages at other places. */
  get hasMoved(): boolean {
    return this.#moved.size > 0;
  }

  /** Whether an id that no page has may be that of one in a part that could not be read. */
  isUnread(id: string): boolean {
    if (this.#unread.length === 0) return false;
    for (const [place, memory] of this.#journal.items)
      if (this.#idOf(memory.of, memory.origin) === id) return this.#isBelowUnread(place);
    return ![...this.#lost.values()].some(({ memory }) => this.#idOf(memory.of, memory.origin) === id);
  }

  /** Chooses the ids of the pages in a scan. `renamed` are the files that git saw renamed, by their former paths. */
  follow(now: ScannedFolder, before: ScannedFolder | null, renamed: ReadonlyMap<string, string>): Origins {
    this.#unread = unreadIn(now);
    const files = differingFiles(before, now);
    const come = textsOf(files.come);
    const gone = before === null ? this.#goneFrom(come) : textsOf(files.gone);
    for (const [place, text] of come) {
      if (gone.get(place) !== text) continue;
      come.delete(place);
      gone.delete(place);
    }
    const moves = findMoves(this.#withLost(gone), come, renamed);
    const folders = findFolderMoves(moves, (path) => folderAt(now, path) !== null);
    this.#moved = new Map([
      ...[...moves].map(([from, to]) => [to, from] as const),
      ...[...folders].map(([from, to]) => [`${to}/`, `${from}/`] as const),
    ]);
    const isMovedAway = (place: string) =>
      place.endsWith("/") ? folders.has(place.slice(0, -1)) : moves.has(place);
    const isGone = (place: string) =>
      place.endsWith("/") ? folderAt(now, place.slice(0, -1)) === null : gone.has(place) && !come.has(place);
    const at = (place: string) => {
      const from = this.#moved.get(place) ?? (isMovedAway(place) ? null : place);
      return from === null ? undefined : this.#memoryAt(from)?.origin;
    };
    const moved = this.#moved;
    const has = (origin: string) => {
      const place = this.#places.get(origin);
      if (place === undefined) return false;
      // Once the scan is remembered, places are those after the moves.
      if (this.#moved !== moved) return true;
      return isMovedAway(place) || !(isGone(place) || moved.has(place));
    };
    return new Origins(this.#idOf, { at, has }, this.#ids);
  }

  /** Adds the texts of pages that have gone lately, if nothing has taken their ids. */
  #withLost(gone: ReadonlyMap<string, string>): Map<string, string> {
    const all = new Map(gone);
    const lostAt = new Map<string, Remembered>();
    for (const [origin, { place, memory, at }] of this.#lost) {
      if (this.#places.has(origin) || at + lostFor < this.#clock()) {
        this.#lost.delete(origin);
        continue;
      }
      // Another page may have its place, as when two files swap their names over a third. No path contains a zero.
      const isTaken = this.#journal.items.has(place) || lostAt.has(place);
      const free = isTaken ? `\0${lostAt.size}` : place;
      lostAt.set(free, memory);
      all.set(free, memory.text);
    }
    this.#lostAt = lostAt;
    return all;
  }

  #memoryAt(place: string): Remembered | undefined {
    return this.#journal.items.get(place) ?? this.#lostAt.get(place);
  }

  /** Finds the remembered texts that are not there: `here` are all the texts of the folder. */
  #goneFrom(here: ReadonlyMap<string, string>): Map<string, string> {
    const gone = new Map<string, string>();
    for (const [place, { text }] of this.#journal.items) {
      const isPage = !place.endsWith("/");
      if (isPage && (here.has(place) || !this.#isBelowUnread(place))) gone.set(place, text);
    }
    return gone;
  }

  /**
   * Compares a workspace with what is remembered, and remembers it. Updates the edit times of pages that have changed without a
   * later date. Returns what has changed, also against the workspace before. `head` is the commit that is checked out. With
   * `changedAlone`, the links of a page whose text is the same wait for the next call. `edited` has the pages that may differ from
   * the workspace before, if nothing else does; null for all.
   */
  async compare(
    { workspace, folder }: WorkspaceOfFolder,
    before: WorkspaceOfFolder | null,
    { head, changedAlone, edited }: Comparison,
  ): Promise<readonly ChangedNode[]> {
    if (edited === null && linksMayDiffer(before, { workspace, folder })) {
      this.#mayDiffer = true;
      this.#followed = 0;
    }
    const looksAtAll = this.#mayDiffer && !changedAlone;
    const updates: Updates = new Map();
    const places = new Set<string>();
    const changed: ChangedNode[] = [];
    for (const [index, entry] of (edited ?? workspace.entries).entries()) {
      if (index % batchSize === batchSize - 1) await setImmediate();
      places.add(placeOf(entry));
      const isSame = this.#comparePage(workspace, entry, looksAtAll, updates);
      if (!isSame || !isShownSame(before?.workspace ?? null, entry))
        changed.push({ of: entry.kind, id: entry.id });
    }
    if (edited === null) changed.push(...this.#removed(workspace, places, updates));
    await this.#remember(updates, head);
    if (looksAtAll) this.#mayDiffer = false;
    return changed;
  }

  /**
   * Follows the links that `compare` left out. Returns the pages whose links lead elsewhere. Stops after a batch of pages if `mayStop`
   * says so; the next call continues there.
   */
  async followLinks(workspace: Workspace, mayStop: () => boolean): Promise<readonly ChangedNode[]> {
    const updates: Updates = new Map();
    const changed: ChangedNode[] = [];
    for (const entry of workspace.entries.slice(this.#followed)) {
      if (!this.#comparePage(workspace, entry, true, updates)) changed.push({ of: entry.kind, id: entry.id });
      this.#followed += 1;
      if (this.#followed % batchSize !== 0) continue;
      await setImmediate();
      if (mayStop()) break;
    }
    await this.#remember(updates, this.head);
    if (this.#followed >= workspace.entries.length) this.#mayDiffer = false;
    return changed;
  }

  /** Compares a page with what is remembered: whether its text and links are the same. Its links only if `withLinks` or the text differs. */
  #comparePage(workspace: Workspace, entry: Entry, withLinks: boolean, updates: Updates): boolean {
    const place = placeOf(entry);
    const known = this.#memoryOf(entry, place);
    const page = digestsOf(workspace, entry, withLinks ? undefined : known);
    const memory = memoryAfter(known, page, entry.editedAt, (latest) => this.#laterThan(latest));
    if (memory !== this.#journal.items.get(place)) updates.set(place, memory);
    entry.editedAt = Math.max(entry.editedAt, memory.changedAt ?? 0);
    return known?.text === memory.text && known.links === memory.links;
  }

  /** Finds what is no longer in the workspace. What cannot be read is remembered further. */
  #removed(workspace: Workspace, places: ReadonlySet<string>, updates: Updates): ChangedNode[] {
    const removed: ChangedNode[] = [];
    const candidates = [
      ...updates.keys(),
      ...[...this.#journal.items.keys()].filter((place) => !places.has(place)),
    ];
    for (const place of candidates) {
      const memory = this.#journal.items.get(place);
      if (memory === undefined) continue;
      const id = this.#idOf(memory.of, memory.origin);
      const isUnread = !places.has(place) && this.#isBelowUnread(place);
      if (!places.has(place) && !isUnread) updates.set(place, null);
      if (isUnread || workspace.entry(id) !== null) continue;
      removed.push({ of: memory.of, id });
      this.#lost.set(memory.origin, { place, memory, at: this.#clock() });
    }
    return removed;
  }

  async #remember(updates: Readonly<Updates>, head: string | null): Promise<void> {
    for (const place of updates.keys()) {
      const before = this.#journal.items.get(place);
      if (before !== undefined && this.#places.get(before.origin) === place)
        this.#places.delete(before.origin);
    }
    for (const [place, memory] of updates) if (memory !== null) this.#places.set(memory.origin, place);
    this.#moved = new Map();
    await this.#journal.write(updates, head);
  }

  /** The memory of a page, where it is or was. */
  #memoryOf({ kind, origin, path }: Entry, place: string): Remembered | undefined {
    const memory = this.#memoryAt(this.#moved.get(place) ?? place) ?? this.#memoryAt(`${path}/`);
    return memory?.of === kind && memory.origin === origin ? memory : undefined;
  }

  #isBelowUnread(place: string): boolean {
    return this.#unread.some((path) => place === path || place.startsWith(`${path}/`));
  }

  /** The time of a change after one at `latest`: now, unless that would be no later. */
  #laterThan(latest: number): number {
    const now = this.#clock();
    if (!this.#roundsTimes) return Math.max(now, latest + 1);
    // The current minute, or the one after it: however many changes there are, their time does not move further ahead.
    const next = minuteOf(now) + minute;
    return latest === next ? next : Math.max(minuteOf(now), latest + minute);
  }
}

function isShownSame(before: Workspace | null, entry: Entry): boolean {
  if (before === null) return true;
  const shown = before.entry(entry.id);
  return shown !== null && looksSame(shown, entry);
}

/** A page as it is remembered. Its links are not followed again if the text is the known one. */
function digestsOf(workspace: Workspace, entry: Entry, known: Remembered | undefined) {
  const text = entry.file === null ? "" : digestOf(entry.file);
  const links = known?.text === text ? known.links : targetsOf(workspace, entry);
  return { of: entry.kind, origin: entry.origin, text, links };
}

/** A target begins with the id of its page; the section follows. */
const idLength = 36;

/**
 * The targets of a page's links, and its children, which its text shows at the end. A target that is missing differs from the
 * page that is added there: its link is shown as it is written, and that of a page with its title.
 */
function targetsOf(workspace: Workspace, entry: Entry): string {
  const children = entry.kind === "database" ? [] : entry.children.filter(({ inTrash }) => !inTrash);
  const isThere = (target: string) => workspace.entry(target.slice(0, idLength)) !== null;
  const links = workspace.leadsTo(entry).map((target) => (isThere(target) ? target : `no ${target}`));
  const targets = [...links, ...children.map(({ id }) => `child ${id}`)];
  return targets.length === 0 ? "" : digest(targets.join());
}

/** The memory of a page with these digests and this date of its own. */
function memoryAfter(
  before: Remembered | undefined,
  page: Pick<Remembered, "of" | "origin" | "text" | "links">,
  editedAt: number,
  laterThan: (latest: number) => number,
): Remembered {
  if (before === undefined) return { ...page, latest: editedAt, changedAt: null };
  const { latest, changedAt } = before;
  const isEdited = before.text !== page.text;
  if (isEdited && editedAt > latest) return { ...page, latest: editedAt, changedAt: null };
  if (!isEdited && before.links === page.links)
    return editedAt > latest ? { ...page, latest: editedAt, changedAt } : before;
  const changed = laterThan(Math.max(editedAt, latest));
  return { ...page, latest: changed, changedAt: changed };
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

function textsOf(files: readonly ScannedFile[]): Map<string, string> {
  return new Map(files.map((file) => [file.path, digestOf(file)]));
}

/** The paths to which the system denies access. */
function unreadIn(folder: ScannedFolder): string[] {
  const denied = folder.skipped.filter(({ reason }) => isUnread(reason));
  return [...denied.map(({ path }) => path), ...folder.folders.flatMap(unreadIn)];
}

function folderAt(root: ScannedFolder, path: string): ScannedFolder | null {
  let folder: ScannedFolder | undefined = root;
  for (let end = path.indexOf("/"); ; end = path.indexOf("/", end + 1)) {
    const place = end < 0 ? path : path.slice(0, end);
    folder = folder.folders.find((below) => below.path === place);
    if (folder === undefined || end < 0) return folder ?? null;
  }
}

function parseRemembered(value: unknown): Remembered | null {
  if (!isRecord(value)) return null;
  const { of, origin, text, links, latest, changedAt } = value;
  if (of !== "page" && of !== "database") return null;
  if (typeof origin !== "string" || typeof text !== "string" || typeof links !== "string") return null;
  if (typeof latest !== "number" || (changedAt !== null && typeof changedAt !== "number")) return null;
  return { of, origin, text, links, latest, changedAt };
}

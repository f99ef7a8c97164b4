import { createHash, randomUUID } from "node:crypto";
import { readFile, realpath, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Entry, Warning } from "./entry.ts";
import { isRecord, minuteOf } from "./front-matter.ts";
import { type ReadFiles, type ScannedFile, type ScannedFolder, scanFolder } from "./scan.ts";
import { createWorkspace, type Workspace } from "./workspace.ts";

/** A workspace that follows its folder. */
export interface OpenWorkspace {
  current(): Workspace;
  /** Looks at the folder again: what changed is read anew, ids stay. */
  reload(): Promise<Workspace>;
}

/** How a folder is looked at. */
export interface OpenOptions {
  /** Milliseconds since the Unix epoch. */
  readonly clock?: () => number;
  /** Where it outlasts a restart what the links of pages led to; null (as when left out) keeps it in memory. */
  readonly linksFile?: string | null;
  /** Told once of everything that cannot be used as it is. */
  readonly onWarning?: (warning: Warning) => void;
}

/** Opens a folder as a workspace. Throws where it is no folder that can be read. */
export async function openWorkspace(directory: string, options: OpenOptions = {}): Promise<OpenWorkspace> {
  const { clock = Date.now, linksFile = null, onWarning = () => {} } = options;
  const folder = await realpath(directory);
  const known: ReadFiles = new Map();
  const links = await openLinkMemory(linksFile, clock);
  let warned = new Set<string>();

  const workspaceOf = async (scanned: ScannedFolder) => {
    const made = createWorkspace(scanned, path.basename(folder));
    await links.compare(made);
    const warnings = new Map(made.warnings.map((warning) => [JSON.stringify(warning), warning]));
    for (const [key, warning] of warnings) if (!warned.has(key)) onWarning(warning);
    warned = new Set(warnings.keys());
    return made;
  };

  let scanned = await scanFolder(folder, known);
  let workspace = await workspaceOf(scanned);
  let reloading: Promise<Workspace> | null = null;
  const reload = async () => {
    const again = await scanFolder(folder, known);
    if (!sameFolder(scanned, again)) workspace = await workspaceOf(again);
    scanned = again;
    return workspace;
  };
  return {
    current: () => workspace,
    reload() {
      reloading ??= reload().finally(() => {
        reloading = null;
      });
      return reloading;
    },
  };
}

/** Whether two looks at a folder saw the same; files that did not change were not read twice. */
function sameFolder(a: ScannedFolder, b: ScannedFolder): boolean {
  return (
    a.path === b.path &&
    same(a.files, b.files, (x, y) => x === y) &&
    same(a.others, b.others, (x, y) => x === y) &&
    same([...a.descriptions.values()], [...b.descriptions.values()], (x, y) => x === y) &&
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

/**
 * Remembers where the links of each page led. The text that the provider gives names pages by their ids, so it changes
 * where a page that a link names comes, goes or moves, although nobody edits the file: then it counts as edited now.
 */
interface LinkMemory {
  /** Moves the edit time of pages that are as they were and whose links lead elsewhere, now or at an earlier look. */
  compare(workspace: Workspace): Promise<void>;
}

/** What is remembered of a page: digests of its text and of where its links led, and when the latter changed alone. */
type RememberedPage = readonly [text: string, links: string, changedAt: number | null];

const minute = 60_000;
/** Pages to a turn: others go on in between. */
const batch = 50;

/** Opens the memory; it outlasts a restart in a file, where there is one. A file that cannot be read is begun anew. */
async function openLinkMemory(file: string | null, clock: () => number): Promise<LinkMemory> {
  let known = file === null ? new Map<string, RememberedPage>() : await readPages(file);
  return {
    async compare(workspace) {
      const now = new Map<string, RememberedPage>();
      for (const [index, entry] of workspace.entries.entries()) {
        if (index % batch === batch - 1) await setImmediate();
        const memory = memoryOf(entry, workspace, known.get(entry.id), clock());
        if (memory === null) continue;
        now.set(entry.id, memory);
        entry.editedAt = Math.max(entry.editedAt, memory[2] ?? 0);
      }
      if (file !== null && !samePages(known, now)) await writePages(file, now);
      known = now;
    },
  };
}

/** Null of what has no links: nothing can come of them. */
function memoryOf(
  entry: Entry,
  workspace: Workspace,
  before: RememberedPage | undefined,
  now: number,
): RememberedPage | null {
  const ids = entry.file === null ? [] : workspace.leadsTo(entry);
  if (entry.file === null || (ids.length === 0 && before === undefined)) return null;
  const [text, links] = [digestOf(entry.file), digest(ids.join())];
  if (before === undefined || before[0] !== text) return [text, links, null];
  if (before[1] === links) return before;
  // Later than it was in any case: a time that stays says that nothing changed.
  const latest = Math.max(entry.editedAt, before[2] ?? 0);
  return [text, links, Math.max(minuteOf(now), latest + minute)];
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

function samePages(a: ReadonlyMap<string, RememberedPage>, b: ReadonlyMap<string, RememberedPage>): boolean {
  return a.size === b.size && [...a].every(([id, memory]) => b.get(id) === memory);
}

async function readPages(file: string): Promise<Map<string, RememberedPage>> {
  const text = await readFile(file, "utf8").catch(() => "{}");
  const pages = parsePages(text);
  return new Map(
    Object.entries(pages).flatMap(([id, memory]) => (isRememberedPage(memory) ? [[id, memory]] : [])),
  );
}

function parsePages(text: string): Record<string, unknown> {
  try {
    const state: unknown = JSON.parse(text);
    return isRecord(state) && isRecord(state.pages) ? state.pages : {};
  } catch {
    return {};
  }
}

function isRememberedPage(value: unknown): value is RememberedPage {
  return (
    Array.isArray(value) &&
    typeof value[0] === "string" &&
    typeof value[1] === "string" &&
    (value[2] === null || typeof value[2] === "number")
  );
}

/** Writes the file whole or not at all. */
async function writePages(file: string, pages: ReadonlyMap<string, RememberedPage>): Promise<void> {
  const unfinished = `${file}.${randomUUID()}`;
  await writeFile(unfinished, JSON.stringify({ pages: Object.fromEntries(pages) }), { mode: 0o600 });
  await rename(unfinished, file);
}

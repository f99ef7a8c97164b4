import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { removeUnfinished, writeAtomically } from "./atomic-file.ts";
import { isRecord, minuteOf } from "./front-matter.ts";
import type { ScannedFile } from "./scan.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Remembers the text and the link targets of each page, because the date of a page does not tell whether it has changed:
 * programs restore the times of files, dates in front matter and git may not change, and links in the API's texts contain
 * ids, so a text changes when a target appears, disappears or moves. Such a page counts as edited now.
 */
export interface LinkMemory {
  /** Updates the edit times of pages that have changed without a later date. */
  compare(workspace: Workspace): Promise<void>;
}

/**
 * Digests of the text and link targets of a page, the latest edit time that it has had, and when it changed without a
 * later date.
 */
type RememberedPage = readonly [text: string, links: string, latest: number, changedAt: number | null];

const minute = 60_000;
/** Yields to the event loop after this many pages. */
const batchSize = 50;

/** Opens the memory, from a file if there is one. Starts with an empty one if the file is invalid. */
export async function openLinkMemory(file: string | null, clock: () => number): Promise<LinkMemory> {
  if (file !== null) await removeUnfinished(file);
  let known = file === null ? new Map<string, RememberedPage>() : await readPages(file);
  return {
    async compare(workspace) {
      const now = new Map<string, RememberedPage>();
      for (const [index, entry] of workspace.entries.entries()) {
        if (index % batchSize === batchSize - 1) await setImmediate();
        if (entry.file === null) continue;
        const digests = [digestOf(entry.file), digest(workspace.leadsTo(entry).join())] as const;
        const memory = memoryOf(digests, entry.editedAt, known.get(entry.id), clock());
        now.set(entry.id, memory);
        entry.editedAt = Math.max(entry.editedAt, memory[3] ?? 0);
      }
      if (file !== null && !samePages(known, now))
        await writeAtomically(file, JSON.stringify({ pages: Object.fromEntries(now) }));
      known = now;
    },
  };
}

/** The entry for a page with these digests and this date of its own. */
function memoryOf(
  [text, links]: readonly [text: string, links: string],
  editedAt: number,
  before: RememberedPage | undefined,
  now: number,
): RememberedPage {
  if (before === undefined) return [text, links, editedAt, null];
  const [knownText, knownLinks, latest, changedAt] = before;
  const isEdited = knownText !== text;
  if (isEdited && editedAt > latest) return [text, links, editedAt, null];
  if (!isEdited && knownLinks === links)
    return editedAt > latest ? [text, links, editedAt, changedAt] : before;
  const changed = laterThan(Math.max(editedAt, latest), now);
  return [text, links, changed, changed];
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
    typeof value[2] === "number" &&
    (value[3] === null || typeof value[3] === "number")
  );
}

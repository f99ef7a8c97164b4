import { createHash, randomUUID } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import type { Entry } from "./entry.ts";
import { isRecord, minuteOf } from "./front-matter.ts";
import type { ScannedFile } from "./scan.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Remembers the link targets of each page. Links in the API's texts contain ids, so a text changes without an edit of
 * its file when a target appears, disappears or moves. Such a page counts as edited now.
 */
export interface LinkMemory {
  /** Updates the edit times of unchanged pages whose link targets have changed. */
  compare(workspace: Workspace): Promise<void>;
}

/** Digests of the text and link targets of a page, and when the targets changed without the text. */
type RememberedPage = readonly [text: string, links: string, changedAt: number | null];

const minute = 60_000;
/** Yields to the event loop after this many pages. */
const batchSize = 50;

/** Opens the memory, from a file if there is one. Starts with an empty one if the file is invalid. */
export async function openLinkMemory(file: string | null, clock: () => number): Promise<LinkMemory> {
  let known = file === null ? new Map<string, RememberedPage>() : await readPages(file);
  return {
    async compare(workspace) {
      const now = new Map<string, RememberedPage>();
      for (const [index, entry] of workspace.entries.entries()) {
        if (index % batchSize === batchSize - 1) await setImmediate();
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

/** Null for a page that has and had no links. */
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
  // The time must change, or readers would think that the page has not.
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

/** Writes the file atomically. */
async function writePages(file: string, pages: ReadonlyMap<string, RememberedPage>): Promise<void> {
  const unfinished = `${file}.${randomUUID()}`;
  await writeFile(unfinished, JSON.stringify({ pages: Object.fromEntries(pages) }), { mode: 0o600 });
  await rename(unfinished, file);
}

import { createHash, randomUUID } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import type { Entry } from "./entry.ts";
import { isRecord } from "./front-matter.ts";
import type { ScannedFile } from "./scan.ts";
import { minuteOf } from "./time.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Remembers where the links of each page led. The text that the provider gives names pages by their ids, so it changes
 * where a page that a link names comes, goes or moves, although nobody edits the file: then it counts as edited now.
 */
export interface LinkMemory {
  /** Moves the edit time of pages that are as they were and whose links lead elsewhere, now or at an earlier look. */
  compare(workspace: Workspace): Promise<void>;
}

/** What is remembered of a page: digests of its text and of where its links led, and when the latter changed alone. */
type RememberedPage = readonly [text: string, links: string, changedAt: number | null];

const minute = 60_000;
/** Pages to a turn: others go on in between. */
const batch = 50;

/** Opens the memory; it outlasts a restart in a file, where there is one. A file that cannot be read is begun anew. */
export async function openLinkMemory(file: string | null, clock: () => number): Promise<LinkMemory> {
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

import { constants } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { removeUnfinished, writeAtomically } from "./atomic-file.ts";
import { isRecord } from "./front-matter.ts";

/** Items by key, which outlast the process. */
export interface Journal<T> {
  /** The items as they were last written. */
  readonly items: ReadonlyMap<string, T>;
  /** A text beside the items; null if there is none. */
  readonly note: string | null;
  /** Sets items, and removes those that are null. */
  write(changes: ReadonlyMap<string, T | null>, note: string | null): Promise<void>;
}

const header = '{"journal":1}';

/** The file is written anew once it has more than twice as many lines as items, and this many more. */
const spareLines = 1_000;

/**
 * Opens a journal: a file of lines of JSON, `[key, item]` for an item, `[key]` for one that was removed, and `{note}`. A line that does
 * not parse is left out, as is the last one after a crash. Keeps the items in memory alone if `file` is null.
 */
export async function openJournal<T>(
  file: string | null,
  parse: (value: unknown) => T | null,
): Promise<Journal<T>> {
  if (file === null) return new FileJournal<T>(null, { items: new Map(), note: null }, 0);
  await removeUnfinished(file);
  const text = await readFile(file, "utf8").catch(() => "");
  const [first, ...lines] = text.split("\n");
  if (first !== header)
    return new FileJournal<T>(file, { items: new Map(), note: null }, Number.POSITIVE_INFINITY);
  const items = new Map<string, T>();
  let note: string | null = null;
  for (const line of lines.map(parseLine)) {
    if (isRecord(line) && (typeof line.note === "string" || line.note === null)) note = line.note;
    if (!Array.isArray(line) || typeof line[0] !== "string") continue;
    const item = line.length === 1 ? null : parse(line[1]);
    if (item === null) items.delete(line[0]);
    else items.set(line[0], item);
  }
  // A last line without an end would join the next one.
  return new FileJournal(
    file,
    { items, note },
    text.endsWith("\n") ? lines.length : Number.POSITIVE_INFINITY,
  );
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

class FileJournal<T> implements Journal<T> {
  readonly items: Map<string, T>;
  note: string | null;
  readonly #file: string | null;
  /** The number of lines in the file; infinite if the file must be written anew. */
  #lines: number;

  constructor(
    file: string | null,
    { items, note }: { items: Map<string, T>; note: string | null },
    lines: number,
  ) {
    this.items = items;
    this.note = note;
    this.#file = file;
    this.#lines = lines;
  }

  async write(changes: ReadonlyMap<string, T | null>, note: string | null): Promise<void> {
    const notes = note === this.note ? [] : [{ note }];
    for (const [key, item] of changes) {
      if (item === null) this.items.delete(key);
      else this.items.set(key, item);
    }
    this.note = note;
    if (this.#file === null || changes.size + notes.length === 0) return;
    const count = this.#lines + changes.size + notes.length;
    // If writing fails, the file is written anew next time.
    this.#lines = Number.POSITIVE_INFINITY;
    if (count > 2 * this.items.size + spareLines) {
      await writeAtomically(this.#file, [`${header}\n`, ...linesOf([{ note }, ...this.items])].join(""));
      this.#lines = this.items.size + 1;
    } else {
      const lines = [...changes].map(([key, item]) => (item === null ? [key] : [key, item]));
      await append(this.#file, linesOf([...lines, ...notes]).join(""));
      this.#lines = count;
    }
  }
}

function linesOf(values: readonly unknown[]): string[] {
  return values.map((value) => `${JSON.stringify(value)}\n`);
}

/** Appends to a file that exists: it may have been removed meanwhile, and must then not begin in the middle. */
async function append(file: string, text: string): Promise<void> {
  const handle = await open(file, constants.O_WRONLY | constants.O_APPEND);
  try {
    await handle.writeFile(text);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

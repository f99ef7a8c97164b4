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
  /** Writes the differences. Items that are the same objects as before are equal. */
  write(items: ReadonlyMap<string, T>, note: string | null): Promise<void>;
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

type State<T> = Pick<Journal<T>, "items" | "note">;

class FileJournal<T> implements Journal<T> {
  readonly #file: string | null;
  #state: State<T>;
  /** The number of lines in the file; infinite if the file must be written anew. */
  #lines: number;

  constructor(file: string | null, state: State<T>, lines: number) {
    this.#file = file;
    this.#state = state;
    this.#lines = lines;
  }

  get items(): ReadonlyMap<string, T> {
    return this.#state.items;
  }

  get note(): string | null {
    return this.#state.note;
  }

  async write(items: ReadonlyMap<string, T>, note: string | null): Promise<void> {
    const before = this.#state;
    const changed = [...items].filter(([key, item]) => before.items.get(key) !== item);
    const removed = [...before.items.keys()].filter((key) => !items.has(key));
    const lines = linesOf([
      ...changed,
      ...removed.map((key) => [key]),
      ...(note === before.note ? [] : [{ note }]),
    ]);
    if (this.#file !== null && lines.length > 0) {
      const count = this.#lines + lines.length;
      // If writing fails, the file is written anew next time.
      this.#lines = Number.POSITIVE_INFINITY;
      this.#lines =
        count > 2 * items.size + spareLines
          ? await writeAll(this.#file, { items, note })
          : await append(this.#file, lines, count);
    }
    this.#state = { items, note };
  }
}

function linesOf(values: readonly unknown[]): string[] {
  return values.map((value) => `${JSON.stringify(value)}\n`);
}

async function writeAll<T>(file: string, { items, note }: State<T>): Promise<number> {
  const lines = linesOf([{ note }, ...items]);
  await writeAtomically(file, `${header}\n${lines.join("")}`);
  return lines.length;
}

/** Appends to a file that exists: it may have been removed meanwhile, and must then not begin in the middle. */
async function append(file: string, lines: readonly string[], count: number): Promise<number> {
  const handle = await open(file, constants.O_WRONLY | constants.O_APPEND);
  try {
    await handle.writeFile(lines.join(""));
    await handle.datasync();
  } finally {
    await handle.close();
  }
  return count;
}

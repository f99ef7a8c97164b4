import { atWork } from "@clew/threads";
import type { ScannedFile, SkipReason } from "./scanned-file.ts";

/*
 * The folders' thread reads front matter, names, links and tags of a file, in a time that grows with its length alone. If a file
 * takes long nonetheless, the thread is ended, and the next one leaves out that file until it changes. So does this one with a file
 * at which reading fails: the rest of its folder is read.
 */

/** The files that are left out, by `keyOf`. */
const leftOut = new Map<string, SkipReason>();

/** Errors whose file is known. */
const attributed = new WeakSet<object>();

/** Leaves out the files for which threads before this one were ended, by the names that `readingFile` marked. */
export function leaveOutSlow(names: readonly string[]): void {
  for (const name of names) leftOut.set(name, "slow");
}

/** The reason why a file is left out; null for any other. One that has changed has another name. */
export function leftOutFor(file: ScannedFile): SkipReason | null {
  return leftOut.size === 0 ? null : (leftOut.get(keyOf(file)) ?? null);
}

/** Reads something in a file, so that the owner of the thread sees which file it is at. If that throws, the file is left out. */
export function readingFile<T>(file: ScannedFile | null, read: () => T): T {
  if (file === null) return read();
  const name = keyOf(file);
  try {
    return atWork(name, read);
  } catch (error) {
    const isKnown = error instanceof Error && attributed.has(error);
    if (!isKnown) leftOut.set(name, "fault");
    if (error instanceof Error) attributed.add(error);
    throw error;
  }
}

function keyOf({ path, text, createdAt, editedAt }: ScannedFile): string {
  return `${createdAt} ${editedAt} ${text.length} ${path}`;
}

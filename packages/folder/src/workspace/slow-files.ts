import { atWork } from "@clew/threads";
import type { ScannedFile } from "./scanned-file.ts";

/*
 * The folders' thread reads front matter, names, links and tags of a file, in a time that grows with its length alone. If a file
 * takes long nonetheless, the thread is ended, and the next one leaves out that file until it changes.
 */

/** The files that the threads before this one were ended for, by `keyOf`. */
let slow: ReadonlySet<string> = new Set();

/** Leaves out files from now on, by the names that `readingFile` marked. */
export function leaveOutFiles(names: readonly string[]): void {
  slow = new Set(names);
}

/** Whether a file is left out. One that has changed has another name. */
export function isLeftOut(file: ScannedFile): boolean {
  return slow.size > 0 && slow.has(keyOf(file));
}

/** Reads something in a file, so that the owner of the thread sees which file it is at. */
export function readingFile<T>(file: ScannedFile | null, read: () => T): T {
  return file === null ? read() : atWork(keyOf(file), read);
}

function keyOf({ path, text, createdAt, editedAt }: ScannedFile): string {
  return `${createdAt} ${editedAt} ${text.length} ${path}`;
}

import type { ScannedFolder } from "./scan.ts";
import type { ScannedFile } from "./scanned-file.ts";

/** The pages of a scan whose files are other objects than in the scan before, and those that have gone. */
export function differingFiles(
  before: ScannedFolder | null,
  now: ScannedFolder | null,
): { gone: ScannedFile[]; come: ScannedFile[] } {
  const gone: ScannedFile[] = [];
  const come: ScannedFile[] = [];
  const pending: (readonly [ScannedFolder | null, ScannedFolder | null])[] = [[before, now]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    const [earlier, later] = [new Set(a?.files), new Set(b?.files)];
    gone.push(...earlier.difference(later));
    come.push(...later.difference(earlier));
    const known = new Map(a?.folders.map((folder) => [folder.path, folder]));
    for (const folder of b?.folders ?? []) {
      pending.push([known.get(folder.path) ?? null, folder]);
      known.delete(folder.path);
    }
    for (const folder of known.values()) pending.push([folder, null]);
  }
  return { gone, come };
}

/** Edits of texts, and of nothing else: pages that have another text at the same path, and folders with other times. */
export interface TextEdits {
  /** The files after the edits, with those before. */
  readonly files: ReadonlyMap<ScannedFile, ScannedFile>;
  readonly folders: readonly ScannedFolder[];
}

/** Finds the edits between two scans; null if anything else differs too. */
export function textEdits(before: ScannedFolder, now: ScannedFolder): TextEdits | null {
  const files = new Map<ScannedFile, ScannedFile>();
  const folders: ScannedFolder[] = [];
  const pending: (readonly [ScannedFolder, ScannedFolder])[] = [[before, now]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (!hasSameList(a, b) || !isSame(a.folders, b.folders, (x, y) => x.path === y.path)) return null;
    folders.push(b);
    for (const [index, file] of b.files.entries()) {
      const earlier = a.files[index];
      if (earlier !== undefined && earlier !== file) files.set(file, earlier);
    }
    for (const [index, folder] of b.folders.entries()) pending.push([a.folders[index] ?? folder, folder]);
  }
  return { files, folders };
}

/** Whether two folders have the same files, pages apart from their texts. An unchanged folder is the same object. */
export function sameNames(a: ScannedFolder, b: ScannedFolder): boolean {
  return a === b || (hasSameFiles(a, b) && isSame(a.folders, b.folders, sameNames));
}

/** Whether two folders list the same: the same files, and nothing else that is left out. */
function hasSameList(a: ScannedFolder, b: ScannedFolder): boolean {
  const isSameSkip = (x: (typeof a.skipped)[number], y: typeof x) =>
    x.path === y.path && x.reason === y.reason;
  return hasSameFiles(a, b) && isSame(a.skipped, b.skipped, isSameSkip);
}

function hasSameFiles(a: ScannedFolder, b: ScannedFolder): boolean {
  const descriptions = (folder: ScannedFolder) => [...folder.descriptions.values()];
  return (
    a.path === b.path &&
    isSame(a.files, b.files, (x, y) => x.path === y.path) &&
    isSame(a.others, b.others, (x, y) => x === y) &&
    isSame(descriptions(a), descriptions(b), (x, y) => x === y) &&
    isSame([...a.tools.values()], [...b.tools.values()], (x, y) => x === y)
  );
}

/** Whether two lists are alike in each place. */
export function isSame<T>(a: readonly T[], b: readonly T[], alike: (x: T, y: T) => boolean): boolean {
  return (
    a.length === b.length &&
    a.every((item, index) => {
      const other = b[index];
      return other !== undefined && alike(item, other);
    })
  );
}

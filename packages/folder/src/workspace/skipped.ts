import path from "node:path";
import type { Warning } from "./entry.ts";
import { isDescription, isPage, maxFileBytes, type ScannedFolder, type SkipReason } from "./scan.ts";

/** The reasons for which a file or folder gets a warning of its own. */
const reasons: Partial<Record<SkipReason, string>> = {
  size: `not read: the file is larger than ${maxFileBytes / 1024 / 1024} MiB`,
  access: "not read: the system denies access",
};

/**
 * Describes the parts of a folder that are not read: a warning for each page that is left out, and one that counts the rest, such as
 * `not read: 12 .canvas, 3 symbolic links`.
 */
export function skippedWarnings(workspace: ScannedFolder): Warning[] {
  const folders = withFolders(workspace);
  const skipped = folders.flatMap((folder) => folder.skipped);
  const count = (wanted: SkipReason) => skipped.filter(({ reason }) => reason === wanted).length;
  const unread = [
    ...countsByEnding(folders.flatMap(({ others }) => others)),
    ...counted(count("link"), "symbolic link"),
    ...counted(count("name"), "name that is not UTF-8", "names that are not UTF-8"),
  ];
  const garbled = folders.flatMap(({ files }) => files).filter((file) => !file.isUtf8).length;
  const summary = [
    ...(unread.length === 0 ? [] : [`not read: ${unread.join(", ")}`]),
    ...counted(garbled, "page with bytes that are not UTF-8", "pages with bytes that are not UTF-8"),
  ];
  return [
    ...skipped.flatMap((entry) => {
      const message = reasons[entry.reason];
      return message === undefined ? [] : [{ path: entry.path, message }];
    }),
    ...(summary.length === 0 ? [] : [{ path: "", message: summary.join("; ") }]),
  ];
}

/** The numbers of files that are neither pages nor descriptions, by ending, the most frequent first. */
function countsByEnding(files: readonly string[]): string[] {
  const others = files
    .map((file) => path.posix.basename(file))
    .filter((name) => !isDescription(name) && !isPage(name));
  const byEnding = Map.groupBy(
    others,
    (name) => path.posix.extname(name).toLowerCase() || "without an ending",
  );
  return [...byEnding]
    .sort(([a, some], [b, more]) => more.length - some.length || (a < b ? -1 : 1))
    .map(([ending, { length }]) => `${length} ${ending}`);
}

function counted(count: number, one: string, several = `${one}s`): string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : several}`];
}

function withFolders(folder: ScannedFolder): ScannedFolder[] {
  return [folder, ...folder.folders.flatMap(withFolders)];
}

import path from "node:path";
import type { SourceReport } from "@clew/provider";
import type { Warning } from "./entry.ts";
import { isDescription, isPage, isSettings, type ScannedFolder, withFolders } from "./scan.ts";
import { maxDepth, maxFileBytes, type SkipReason } from "./scanned-file.ts";

/** The reasons for which a file or folder is named. */
const reasons: Partial<Record<SkipReason, string>> = {
  size: `not read: the file is larger than ${maxFileBytes / 1024 / 1024} MiB`,
  depth: `not read: it is more than ${maxDepth} folders deep`,
  access: "not read: the system denies access",
  slow: "not read: it takes too much processor time",
  fault: "not read: reading it failed",
};

/** Says which parts of a folder are not read: counts by ending, and names what a person may have meant as a page. */
export function unreadParts(workspace: ScannedFolder): Pick<SourceReport, "unread" | "named"> {
  const folders = withFolders(workspace);
  const skipped = folders.flatMap((folder) => folder.skipped);
  const count = (wanted: SkipReason) => skipped.filter(({ reason }) => reason === wanted).length;
  const garbled = folders.flatMap(({ files }) => files).filter((file) => !file.isUtf8);
  return {
    unread: [
      ...countsByEnding(folders.flatMap(({ others }) => others)),
      ...counted(count("link"), "symbolic link"),
      ...counted(count("name"), "name that is not UTF-8", "names that are not UTF-8"),
    ],
    named: [
      ...skipped.flatMap((entry) => {
        const message = reasons[entry.reason];
        return message === undefined ? [] : [{ path: entry.path, message }];
      }),
      ...garbled.map((file) => ({ path: file.path, message: "it has bytes that are not UTF-8" })),
    ],
  };
}

/** Describes the same for a log: a warning for each file that is named, and one that counts, such as `not read: 12 .canvas, 3 symbolic links`. */
export function unreadWarnings({ unread, named }: Pick<SourceReport, "unread" | "named">): Warning[] {
  const counts = unread.map(({ type, count }) => `${count} ${type}`).join(", ");
  return [...named, ...(counts === "" ? [] : [{ path: "", message: `not read: ${counts}` }])];
}

/** The numbers of files that are neither pages nor settings, by ending, the most frequent first. */
function countsByEnding(files: readonly string[]): SourceReport["unread"] {
  const others = files
    .map((file) => path.posix.basename(file))
    .filter((name) => !isDescription(name) && !isPage(name) && !isSettings(name));
  const byEnding = Map.groupBy(
    others,
    (name) => path.posix.extname(name).toLowerCase() || "without an ending",
  );
  return [...byEnding]
    .sort(([a, some], [b, more]) => more.length - some.length || (a < b ? -1 : 1))
    .map(([type, { length }]) => ({ type, count: length }));
}

function counted(count: number, one: string, several = `${one}s`): SourceReport["unread"] {
  return count === 0 ? [] : [{ type: count === 1 ? one : several, count }];
}

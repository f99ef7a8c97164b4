import { isDeepStrictEqual } from "node:util";
import { hasSameSections } from "../links/sections.ts";
import type { Entry } from "./entry.ts";
import type { ScannedFolder } from "./scan.ts";
import { isSame, sameNames } from "./scan-differences.ts";
import type { Workspace } from "./workspace.ts";

/** A workspace, and the folder that it was made of. */
export interface WorkspaceOfFolder {
  readonly folder: ScannedFolder;
  readonly workspace: Workspace;
}

/**
 * Whether links of unchanged pages may have other targets: a file has come, gone or moved, or a page has other names. True if there
 * was no workspace before.
 */
export function linksMayDiffer(a: WorkspaceOfFolder | null, b: WorkspaceOfFolder): boolean {
  if (a === null) return true;
  return !sameNames(a.folder, b.folder) || !isSame(a.workspace.entries, b.workspace.entries, isNamedSame);
}

/** Whether a page or database looks the same but for its text: its names, its place, its dates, and what its schema says. */
export function looksSame(a: Entry, b: Entry): boolean {
  return (
    isNamedSame(a, b) &&
    a.icon === b.icon &&
    a.createdAt === b.createdAt &&
    a.editedAt === b.editedAt &&
    a.inTrash === b.inTrash &&
    a.parent?.id === b.parent?.id &&
    a.title === b.title &&
    (a.schema === b.schema || isDeepStrictEqual(a.schema, b.schema))
  );
}

function isNamedSame(a: Entry, b: Entry): boolean {
  if (a.id !== b.id || a.kind !== b.kind || a.path !== b.path) return false;
  // The front matter may name the page in ways of the folder's own tool.
  return (
    a.file === b.file ||
    (a.file?.path === b.file?.path &&
      a.title === b.title &&
      isDeepStrictEqual(a.aliases, b.aliases) &&
      isDeepStrictEqual(a.frontMatter, b.frontMatter) &&
      hasSameSections(a, b))
  );
}

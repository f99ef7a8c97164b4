import { realpath } from "node:fs/promises";
import path from "node:path";
import type { Warning } from "./entry.ts";
import { openLinkMemory } from "./link-memory.ts";
import { type ReadFiles, type ScannedFolder, scanFolder } from "./scan.ts";
import { createWorkspace, type Workspace } from "./workspace.ts";

/** A workspace that can be read again. */
export interface OpenWorkspace {
  current(): Workspace;
  /** Scans the folder again. Only changed files are read, and ids stay the same. */
  reload(): Promise<Workspace>;
}

export interface OpenOptions {
  /** Milliseconds since the Unix epoch. */
  readonly clock?: () => number;
  /** Stores the link targets of pages across restarts; null (the default) keeps them in memory. */
  readonly linksFile?: string | null;
  /** Receives each warning once. */
  readonly onWarning?: (warning: Warning) => void;
}

/** Opens a folder as a workspace. Throws if it cannot be read. */
export async function openWorkspace(directory: string, options: OpenOptions = {}): Promise<OpenWorkspace> {
  const { clock = Date.now, linksFile = null, onWarning = () => {} } = options;
  const folder = await realpath(directory);
  const known: ReadFiles = new Map();
  const links = await openLinkMemory(linksFile, clock);
  let warned = new Set<string>();

  const workspaceOf = async (scanned: ScannedFolder) => {
    const made = createWorkspace(scanned, path.basename(folder));
    await links.compare(made);
    const warnings = new Map(made.warnings.map((warning) => [JSON.stringify(warning), warning]));
    for (const [key, warning] of warnings) if (!warned.has(key)) onWarning(warning);
    warned = new Set(warnings.keys());
    return made;
  };

  let scanned = await scanFolder(folder, known);
  let workspace = await workspaceOf(scanned);
  let reloading: Promise<Workspace> | null = null;
  const reload = async () => {
    const again = await scanFolder(folder, known);
    if (!sameFolder(scanned, again)) workspace = await workspaceOf(again);
    scanned = again;
    return workspace;
  };
  return {
    current: () => workspace,
    reload() {
      reloading ??= reload().finally(() => {
        reloading = null;
      });
      return reloading;
    },
  };
}

/** Whether two scans are equal. Unchanged files are the same objects. */
function sameFolder(a: ScannedFolder, b: ScannedFolder): boolean {
  return (
    a.path === b.path &&
    same(a.files, b.files, (x, y) => x === y) &&
    same(a.others, b.others, (x, y) => x === y) &&
    same([...a.descriptions.values()], [...b.descriptions.values()], (x, y) => x === y) &&
    same(a.folders, b.folders, sameFolder)
  );
}

function same<T>(a: readonly T[], b: readonly T[], alike: (x: T, y: T) => boolean): boolean {
  return (
    a.length === b.length &&
    a.every((item, index) => {
      const other = b[index];
      return other !== undefined && alike(item, other);
    })
  );
}

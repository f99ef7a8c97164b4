import { realpath } from "node:fs/promises";
import path from "node:path";
import type { Warning } from "./entry.ts";
import { openLinkMemory } from "./link-memory.ts";
import { type ReadFiles, type ScannedFolder, scanFolder } from "./scan.ts";
import { createWorkspace, type Workspace } from "./workspace.ts";

/** A workspace that follows its folder. */
export interface OpenWorkspace {
  current(): Workspace;
  /** Looks at the folder again: what changed is read anew, ids stay. */
  reload(): Promise<Workspace>;
}

/** How a folder is looked at. */
export interface OpenOptions {
  /** Milliseconds since the Unix epoch. */
  readonly clock?: () => number;
  /** Where it outlasts a restart what the links of pages led to; null (as when left out) keeps it in memory. */
  readonly linksFile?: string | null;
  /** Told once of everything that cannot be used as it is. */
  readonly onWarning?: (warning: Warning) => void;
}

/** Opens a folder as a workspace. Throws where it is no folder that can be read. */
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

/** Whether two looks at a folder saw the same; files that did not change were not read twice. */
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

import { realpath } from "node:fs/promises";
import path from "node:path";
import { type ReadFiles, type ScannedFolder, scanFolder } from "./scan.ts";
import { createWorkspace, type Workspace } from "./workspace.ts";

/** A workspace that follows its folder. */
export interface OpenWorkspace {
  current(): Workspace;
  /** Looks at the folder again: what changed is read anew, ids stay. */
  reload(): Promise<Workspace>;
}

/** Opens a folder as a workspace. Throws where it is no folder that can be read. */
export async function openWorkspace(directory: string): Promise<OpenWorkspace> {
  const folder = await realpath(directory);
  const known: ReadFiles = new Map();
  let scanned = await scanFolder(folder, known);
  let workspace = createWorkspace(scanned, path.basename(folder));
  let reloading: Promise<Workspace> | null = null;
  const reload = async () => {
    const again = await scanFolder(folder, known);
    if (!sameFolder(scanned, again)) workspace = createWorkspace(again, path.basename(folder));
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

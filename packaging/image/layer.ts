import { createHash } from "node:crypto";
import { globSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { packTar } from "modern-tar";

/** A file, folder or symbolic link of an image, owned by root. Its path has no slash at its beginning or end. */
export type Entry = { readonly path: string; readonly mode: number } & (
  | { readonly type: "file"; readonly content: Buffer }
  | { readonly type: "directory" }
  | { readonly type: "symlink"; readonly target: string }
);

/** A layer of an image: files that are fetched together, and only if they have changed. */
export interface Layer {
  /** Says in the history of the image what the layer has. */
  readonly title: string;
  /** The digest of the tar archive, by which engines check what they have unpacked. */
  readonly diffId: string;
  /** The tar archive, compressed. */
  readonly blob: Buffer;
  /** Bytes of its files, unpacked. */
  readonly unpacked: number;
}

export const file = (path: string, content: Buffer | string, mode = 0o644): Entry => ({
  type: "file",
  path,
  mode,
  content: Buffer.from(content),
});

export const directory = (path: string, mode = 0o755): Entry => ({ type: "directory", path, mode });

/**
 * Reads the files and links below a folder whose paths in it `isTaken` accepts, as they are to be below `place`. Of their
 * modes it keeps whether a file can be run: no entry has a setuid bit.
 */
export function readTree(
  folder: string,
  place = "",
  isTaken: (path: string) => boolean = () => true,
): Entry[] {
  const found = globSync("**", { cwd: folder, withFileTypes: true });
  return found.flatMap((each): Entry[] => {
    const source = join(each.parentPath, each.name);
    const inFolder = source.slice(folder.length + 1);
    if (each.isDirectory() || !isTaken(inFolder)) return [];
    const path = posix.join(place, inFolder);
    if (each.isSymbolicLink()) return [{ type: "symlink", path, mode: 0o777, target: readlinkSync(source) }];
    return [file(path, readFileSync(source), statSync(source).mode & 0o100 ? 0o755 : 0o644)];
  });
}

/**
 * Makes a layer of these entries and the folders that they are in. The same entries, in any order, give the same bytes: the
 * archive is sorted, all times are zero, and all owners root.
 */
export async function packLayer(title: string, entries: readonly Entry[]): Promise<Layer> {
  const all = new Map<string, Entry>();
  for (const entry of entries) {
    for (const path of parentsOf(entry.path)) if (!all.has(path)) all.set(path, directory(path));
    all.set(entry.path, entry);
  }
  const sorted = [...all.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
  const tar = Buffer.from(await packTar(sorted.map(tarEntry)));
  return {
    title,
    diffId: digestOf(tar),
    blob: await promisify(gzip)(tar, { level: 9 }),
    unpacked: sorted.reduce((sum, entry) => sum + (entry.type === "file" ? entry.content.length : 0), 0),
  };
}

/** The digest of a blob, as manifests write it. */
export const digestOf = (content: Buffer): string =>
  `sha256:${createHash("sha256").update(content).digest("hex")}`;

function parentsOf(path: string): string[] {
  const folders = path.split("/").slice(0, -1);
  return folders.map((_, index) => folders.slice(0, index + 1).join("/"));
}

function tarEntry(entry: Entry): Parameters<typeof packTar>[0][number] {
  const { type, path, mode } = entry;
  const header = { mode, uid: 0, gid: 0, mtime: new Date(0) };
  switch (type) {
    case "directory":
      return { header: { ...header, type, name: `${path}/`, size: 0 } };
    case "symlink":
      return { header: { ...header, type, name: path, size: 0, linkname: entry.target } };
    case "file":
      return { header: { ...header, type, name: path, size: entry.content.length }, body: entry.content };
  }
}

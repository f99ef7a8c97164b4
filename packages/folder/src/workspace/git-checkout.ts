import { lstat, realpath } from "node:fs/promises";
import path from "node:path";
import { OpenFolder } from "./open-folder.ts";

/** The git checkout that a folder is in, by the few files that git keeps about it (gitrepository-layout(5)). */
export interface Checkout {
  /** The folder with `.git`. */
  readonly root: string;
  /** The text of `HEAD`. */
  readonly head: string;
  /** The beginning of the repository's settings. */
  readonly config: string;
}

/** Longer settings are read to here: the remotes come first, and then the branches, which may be many. */
const maxBytes = 64 * 1024;

/**
 * Finds the checkout that a folder is in; null if it is in none, or if one of these files is a link, a pipe or a device: then
 * git is not asked either. Runs no program, and `folder` has no links.
 *
 * A `.git` that is a file names the place of git's files. It is followed below the checkout, and elsewhere if what is there names
 * the checkout too, as it does in worktrees and submodules: otherwise a file in a folder could show what is in another repository.
 */
export async function findCheckout(folder: string): Promise<Checkout | null> {
  const stats = await lstat(path.join(folder, ".git")).catch(() => null);
  if (stats === null) {
    const parent = path.dirname(folder);
    return parent === folder ? null : findCheckout(parent);
  }
  const place = stats.isDirectory() ? path.join(folder, ".git") : await placeNamedIn(folder);
  if (place === null) return null;
  const head = await startOf(place, "HEAD");
  const config = await startOf(await commonPlace(place), "config");
  return head === null || config === null ? null : { root: folder, head, config };
}

/** The place of git's files that the file `.git` of a checkout names; null if it does not belong to the checkout. */
async function placeNamedIn(root: string): Promise<string | null> {
  const named = /^gitdir: (.+)$/m.exec((await startOf(root, ".git")) ?? "")?.[1];
  if (named === undefined) return null;
  const place = await realpath(path.resolve(root, named.trim())).catch(() => null);
  if (place === null || place.startsWith(root + path.sep)) return place;
  const checkout = (await startOf(place, "gitdir"))?.trim();
  if (checkout !== undefined && path.resolve(place, checkout) === path.join(root, ".git")) return place;
  const worktree = /^[ \t]*worktree[ \t]*=[ \t]*(.*)$/m.exec((await startOf(place, "config")) ?? "")?.[1];
  return worktree !== undefined && path.resolve(place, worktree.trim()) === root ? place : null;
}

/** The folder of the repository, which its worktrees share: above a worktree's own, in `.git/worktrees`. */
async function commonPlace(place: string): Promise<string> {
  const common = path.resolve(place, (await startOf(place, "commondir"))?.trim() ?? "");
  return common === path.dirname(path.dirname(place)) ? common : place;
}

/** The beginning of a file; null if there is none, or if it or its folder is no plain one. */
async function startOf(place: string, name: string): Promise<string | null> {
  const folder = await OpenFolder.open(place).catch(() => null);
  try {
    const file = await folder?.openFile(name).catch(() => null);
    if (file == null) return null;
    try {
      if (!(await file.stat()).isFile()) return null;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await file.close();
    }
  } finally {
    await folder?.close();
  }
}

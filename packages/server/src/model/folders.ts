import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { connectedProvider } from "@clew/contract/settings";
import { codeOf } from "./thrown.ts";

/** A folder of Markdown that is served as a source (SRC-2). */
export interface FolderConfig {
  /** The name in paths and in the database. */
  readonly slug: string;
  /** The name that people read. */
  readonly name: string;
  readonly path: string;
}

/** A folder with the workspace that it is. */
export interface ServedFolder extends FolderConfig {
  /** All ids in it are derived from this one (`identifyFolders`). */
  readonly workspaceId: string;
}

/** The slug of the demo workspace, which serves where no source is set up. */
export const demoSlug = "stand-in";

/** The name under which the people of all folders are stored: who opens two folders is one user. */
export const folderPeople = "folder";

/** Words that paths use for other things, and the names of other sources. */
const reserved: readonly string[] = [connectedProvider.slug, "provider", "folder", demoSlug, "demo"];

/** The form of a folder's name. */
const slugPattern = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/** Whether a folder may have this name in paths. */
export function isFolderSlug(text: string): boolean {
  return slugPattern.test(text) && !reserved.includes(text);
}

/** Reads `NAME=PATH, NAME=PATH`. Throws an `Error` that describes valid values. */
export function parseFolders(text: string): readonly FolderConfig[] {
  const folders = text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")
    .map((item) => {
      const at = item.indexOf("=");
      const [name, path] = [item.slice(0, at).trim(), item.slice(at + 1).trim()];
      if (at === -1 || path === "")
        throw new Error("must list folders as NAME=PATH, for example notes=/home/me/notes");
      if (reserved.includes(name)) throw new Error(`must not name a folder ${reserved.join(", ")}`);
      if (!isFolderSlug(name))
        throw new Error("must name folders with lower-case letters, digits and dashes, up to 64 of them");
      return { slug: name, name, path: resolve(path) };
    });
  for (const key of ["slug", "path"] as const)
    if (new Set(folders.map((folder) => folder[key])).size < folders.length)
      throw new Error(`must not have a ${key === "slug" ? "name" : "path"} twice`);
  return folders;
}

export function formatFolders(folders: readonly FolderConfig[]): string {
  return folders.map(({ slug, path }) => `${slug}=${path}`).join(", ");
}

/**
 * The folders that are served: that of `WORKSPACE_DIR` and those of the command line, which are named after the last parts of their
 * paths, beside those of `FOLDERS`. One that is named twice is one folder.
 */
export function allFolders(
  {
    folders,
    workspaceDir,
  }: { readonly folders: readonly FolderConfig[]; readonly workspaceDir: string | null },
  commandLine: readonly string[],
): readonly FolderConfig[] {
  const all = [...folders];
  for (const path of [...(workspaceDir === null ? [] : [workspaceDir]), ...commandLine])
    if (!all.some((folder) => folder.path === path)) all.push(namedFolder(path, all));
  return all;
}

/** A folder that is named after its last part, unlike the others: a number is appended if it must be. */
export function namedFolder(path: string, others: readonly FolderConfig[]): FolderConfig {
  const name = basename(path) || path;
  const taken = new Set(others.map(({ slug }) => slug));
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 50)
    .replaceAll(/^-+|(?<!-)-+$/g, "");
  const base = isFolderSlug(plain) ? plain : `${plain === "" ? "folder" : plain}-1`;
  let slug = base;
  for (let number = 2; taken.has(slug); number += 1) slug = `${base}-${number}`;
  return { slug, name, path };
}

/** Describes the folders that cannot be read; a line for each. */
export async function unreadableFolders(folders: readonly FolderConfig[]): Promise<string[]> {
  const faults = await Promise.all(
    folders.map(async ({ slug, path }) => {
      try {
        return (await stat(path)).isDirectory() ? [] : [`the folder ${slug} is at ${path}, which is a file`];
      } catch (error) {
        const why = codeOf(error) === "ENOENT" ? "which does not exist" : "which cannot be read";
        return [`the folder ${slug} is at ${path}, ${why}`];
      }
    }),
  );
  return faults.flat();
}

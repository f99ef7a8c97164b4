import type { Entry } from "../workspace/entry.ts";

/** Finds pages and databases by the paths under which links name them. */
export interface PathIndex {
  /**
   * The entry that a path of the workspace names, tried as Mintlify and Obsidian do: the very file, the file without its
   * ending, the folder, and last the file with the other ending. `folderFirst` where the path ended with a slash. First as
   * written, then in any case.
   */
  find(path: string, folderFirst: boolean): Entry | null;
}

/** Builds the index over all entries. */
export function indexPaths(entries: readonly Entry[]): PathIndex {
  const exact = new Map<string, Entry>();
  const folded = new Map<string, Entry>();
  const add = (path: string, entry: Entry) => {
    exact.set(path, entry);
    const key = path.toLowerCase();
    if (!folded.has(key)) folded.set(key, entry);
  };
  for (const entry of entries) {
    add(entry.path, entry);
    if (entry.file !== null) add(entry.file.path, entry);
  }
  return {
    find(path, folderFirst) {
      const folder = [path];
      const files = [`${path}.md`, `${path}.mdx`];
      const isFile = exact.get(path)?.file?.path === path;
      const otherEnding = ["md", "mdx"].map((ending) => path.replace(/\.mdx?$/i, `.${ending}`));
      const order = [
        ...(isFile || folderFirst ? [...folder, ...files] : [...files, ...folder]),
        ...otherEnding,
      ];
      return (
        firstOf(exact, order) ??
        firstOf(
          folded,
          order.map((name) => name.toLowerCase()),
        )
      );
    },
  };
}

function firstOf(index: ReadonlyMap<string, Entry>, paths: readonly string[]): Entry | null {
  for (const path of paths) {
    const entry = index.get(path);
    if (entry !== undefined) return entry;
  }
  return null;
}

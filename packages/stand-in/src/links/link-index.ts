import path from "node:path";
import type { Entry } from "../workspace/entry.ts";
import { withoutEnding } from "../workspace/title.ts";

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

/** Finds pages and databases by the names that people know them by. Case makes no difference but between equals. */
export interface NameIndex {
  /** What a name, or the end of a path, means in a page at `from`, as Obsidian has it. */
  find(name: string, from: string): Entry | null;
  /** The one note that has this file name; null where none has it, or several. */
  onlyNote(name: string): Entry | null;
  /** Whether a file that is no page has this name or end of a path. */
  hasFile(name: string): boolean;
}

/** An entry under a path without ending, of its file or its folder. */
interface Named {
  readonly entry: Entry;
  readonly place: string;
}

/** Indexes entries by the names of their files and folders, titles and aliases, and other files by theirs. */
export function indexNames(entries: readonly Entry[], files: readonly string[]): NameIndex {
  const hasText = ({ file, kind }: Entry) => file !== null || kind === "database";
  const notes = byName(
    entries.flatMap((entry) =>
      entry.file === null ? [] : [{ entry, place: withoutEnding(entry.file.path) }],
    ),
  );
  const ofFolders = entries.filter(({ file, path: place }) => file?.path !== place);
  const byFolder = (some: readonly Entry[]) => byName(some.map((entry) => ({ entry, place: entry.path })));
  const withText = byFolder(ofFolders.filter(hasText));
  const bare = byFolder(ofFolders.filter((entry) => !hasText(entry)));
  const titles = Map.groupBy(entries.filter(hasText), ({ title }) => fold(title));
  const aliases = new Map<string, Entry[]>();
  for (const entry of entries.filter(hasText)) {
    for (const alias of entry.aliases.map(fold)) {
      aliases.set(alias, [...(aliases.get(alias) ?? []), entry]);
    }
  }
  const others = Map.groupBy(files, (file) => fold(path.posix.basename(file)));

  return {
    find(name, from) {
      const place = withoutEnding(name.replace(/^\/+|\/+$/g, ""));
      const called = (index: typeof titles) =>
        (index.get(fold(name)) ?? []).map((entry) => ({ entry, place: withoutEnding(entry.path) }));
      return (
        nearest(endingWith(notes, place), place, from) ??
        nearest(endingWith(withText, place), place, from) ??
        nearest(called(titles), place, from) ??
        nearest(called(aliases), place, from) ??
        nearest(endingWith(bare, place), place, from)
      );
    },
    onlyNote(name) {
      const found = new Set(notes.get(fold(withoutEnding(name)))?.map(({ entry }) => entry));
      const [only = null] = found;
      return found.size === 1 && !/^(?:_?index|readme)(?:\.mdx?)?$/i.test(name) ? only : null;
    },
    hasFile(name) {
      const ending = fold(`/${name.replace(/^\/+/, "")}`);
      return (others.get(path.posix.basename(ending)) ?? []).some((file) =>
        fold(`/${file}`).endsWith(ending),
      );
    },
  };
}

function byName(named: readonly Named[]): ReadonlyMap<string, readonly Named[]> {
  return Map.groupBy(named, ({ place }) => fold(path.posix.basename(place)));
}

function endingWith(index: ReadonlyMap<string, readonly Named[]>, place: string): readonly Named[] {
  const ending = fold(`/${place}`);
  const named = index.get(path.posix.basename(ending)) ?? [];
  return named.filter((one) => fold(`/${one.place}`).endsWith(ending));
}

/**
 * Of several the one at this very path, else the one that lies so below the page's own folder, else the one of the
 * shortest path. Equals are told apart by case, and then by order.
 */
function nearest(named: readonly Named[], place: string, from: string): Entry | null {
  const beside = path.posix.join(path.posix.dirname(from), place);
  const rank = (one: Named) =>
    fold(one.place) === fold(place)
      ? 0
      : fold(one.place) === fold(beside) || path.posix.dirname(one.place) === path.posix.dirname(from)
        ? 1
        : 2;
  const isOther = (one: Named) => (one.place.endsWith(place) ? 0 : 1);
  const [best] = named.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      a.place.length - b.place.length ||
      isOther(a) - isOther(b) ||
      (a.entry.path < b.entry.path ? -1 : 1),
  );
  return best?.entry ?? null;
}

function fold(text: string): string {
  return text.toLowerCase();
}

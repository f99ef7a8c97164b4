import path from "node:path";
import type { Entry } from "../workspace/entry.ts";
import { withoutEnding } from "../workspace/title.ts";

/** Finds pages and databases by path. */
export interface PathIndex {
  /**
   * Tries, as Mintlify and Obsidian do, the exact file, the file without its extension, the folder, and the file with the
   * other extension; each first in exact case. `folderFirst` is for paths that end with a slash.
   */
  find(path: string, folderFirst: boolean): Entry | null;
}

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

/** Finds pages and databases by name. Case matters only between names that are otherwise equal. */
export interface NameIndex {
  /** The target of a name or path suffix in the page at `from`, by the rules of Obsidian. */
  find(name: string, from: string): Entry | null;
  /** The note with a name or path suffix that the page at `from` means, by the rules of Obsidian alone. */
  note(name: string, from: string): Entry | null;
  /** The note with this file name; null if there is none or more than one. */
  onlyNote(name: string): Entry | null;
  /** Whether a file that is not a page has this name or path suffix. */
  hasFile(name: string): boolean;
}

/** A page or database, with the path of its file or folder without extension. */
interface Named {
  readonly entry: Entry;
  readonly place: string;
}

/** Indexes pages and databases by file or folder name, title and alias, and other files by name. */
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

  const noteAt = (place: string, from: string) => nearest(endingWith(notes, place), place, from);

  return {
    find(name, from) {
      const place = withoutEnding(name.replace(/^\/+|(?<!\/)\/+$/g, ""));
      const called = (index: typeof titles) =>
        (index.get(fold(name)) ?? []).map((entry) => ({ entry, place: withoutEnding(entry.path) }));
      return (
        noteAt(place, from) ??
        nearest(endingWith(withText, place), place, from) ??
        nearest(called(titles), place, from) ??
        nearest(called(aliases), place, from) ??
        nearest(endingWith(bare, place), place, from)
      );
    },
    note: (name, from) => noteAt(withoutEnding(name), from),
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
 * The best match: first the one at exactly this path, then the ones relative to the page's folder, then the shortest
 * path. Ties are broken by case, then by order.
 */
function nearest(named: readonly Named[], place: string, from: string): Entry | null {
  const beside = path.posix.join(path.posix.dirname(from), place);
  const rank = (one: Named) => {
    if (fold(one.place) === fold(place)) return 0;
    const isInFolder = path.posix.dirname(one.place) === path.posix.dirname(from);
    return fold(one.place) === fold(beside) || isInFolder ? 1 : 2;
  };
  const differsInCase = (one: Named) => Number(!one.place.endsWith(place));
  const [best] = named.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      a.place.length - b.place.length ||
      differsInCase(a) - differsInCase(b) ||
      (a.entry.path < b.entry.path ? -1 : 1),
  );
  return best?.entry ?? null;
}

function fold(text: string): string {
  return text.toLowerCase();
}

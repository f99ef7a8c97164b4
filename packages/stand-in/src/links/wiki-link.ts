import path from "node:path";
import type { Entry } from "../workspace/entry.ts";
import { resolveHyperlink, type Site } from "./hyperlink.ts";
import type { Resolution } from "./resolution.ts";

/** Finds pages and databases by their names, as `[[wiki links]]` name them: as written, and in any case. */
export interface NameIndex {
  readonly exact: Names;
  readonly folded: Names;
}

interface Names {
  readonly byName: ReadonlyMap<string, readonly Entry[]>;
  readonly byTitle: ReadonlyMap<string, readonly Entry[]>;
}

/** Indexes entries by file or folder name and by title. */
export function indexNames(entries: readonly Entry[]): NameIndex {
  return { exact: namesOf(entries, asWritten), folded: namesOf(entries, inAnyCase) };
}

function namesOf(entries: readonly Entry[], fold: Fold): Names {
  return {
    byName: Map.groupBy(entries, ({ path: place }) => fold(withoutEnding(path.posix.basename(place)))),
    byTitle: Map.groupBy(entries, ({ title }) => fold(title)),
  };
}

type Fold = (text: string) => string;

const asWritten: Fold = (text) => text;
const inAnyCase: Fold = (text) => text.toLowerCase();

/**
 * Resolves the target of a wiki link as Obsidian does: a path from the workspace's root or from the page's folder, a file
 * name or the end of a path, and then a title. Of several the one in the same folder is meant, else the one nearest the
 * top. `target` has no alias; a `#heading` or `^block` after it is ignored.
 */
export function resolveWikiLink(site: Site, names: NameIndex, from: string, target: string): Resolution {
  const written = target
    .replace(/[#^].*$/s, "")
    .trim()
    .normalize("NFC");
  if (written === "") return { kind: "elsewhere" };
  const place = written.replace(/^\/+/, "");
  const atRoot = place.includes("/") ? site.paths.find(path.posix.normalize(place), false) : null;
  if (atRoot !== null) return { kind: "entry", entry: atRoot };
  const besidePage = resolveHyperlink(site, from, `./${encodeURI(place).replaceAll("?", "%3F")}`);
  if (place.includes("/") && besidePage.kind === "entry") return besidePage;
  const named =
    findByName(names.exact, asWritten, from, written) ?? findByName(names.folded, inAnyCase, from, written);
  return named === null ? besidePage : { kind: "entry", entry: named };
}

function findByName({ byName, byTitle }: Names, fold: Fold, from: string, written: string): Entry | null {
  const ending = fold(`/${withoutEnding(written)}`);
  const named = byName.get(path.posix.basename(ending)) ?? [];
  const matching = named.filter((entry) => fold(`/${withoutEnding(entry.path)}`).endsWith(ending));
  return nearest(matching, from) ?? nearest(byTitle.get(fold(written)) ?? [], from);
}

function nearest(entries: readonly Entry[], from: string): Entry | null {
  const folder = path.posix.dirname(from);
  const distance = (entry: Entry) =>
    path.posix.dirname(entry.path) === folder ? 0 : entry.path.split("/").length;
  return entries.toSorted((a, b) => distance(a) - distance(b) || (a.path < b.path ? -1 : 1))[0] ?? null;
}

function withoutEnding(name: string): string {
  return name.replace(/\.mdx?$/i, "");
}

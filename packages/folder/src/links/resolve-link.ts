import path from "node:path";
import type { Entry } from "../workspace/entry.ts";
import { withoutEnding } from "../workspace/title.ts";
import type { NameIndex, PathIndex } from "./link-index.ts";

/**
 * The reason why a link is unresolved. `missing`: nothing has this path or name; `outside`: the path leaves the workspace;
 * `malformed`: it is not a valid URL path.
 */
export type LinkFault = "missing" | "outside" | "malformed";

/**
 * The target of a link: a page or database, another file, something outside the workspace's files (`elsewhere`: another
 * site, an email address, a heading of the same page), or nothing. An unresolved link has the id that a page at its path
 * would have.
 */
export type Resolution =
  | {
      readonly kind: "entry";
      readonly entry: Entry;
      /** The words to show instead of the title; absent for the title. */
      readonly words?: string;
      /** The heading that the link leads to, as a reader sees it, or the fragment as written; absent for the page. */
      readonly section?: string;
    }
  | { readonly kind: "file" }
  | { readonly kind: "elsewhere" }
  | { readonly kind: "unresolved"; readonly reason: LinkFault; readonly id: string };

/** An unresolved link to a path relative to the workspace. A trailing slash means a folder. */
export function unresolvedAt(
  files: Pick<LinkableFiles, "idOfMissing">,
  place: string,
  reason: LinkFault = "missing",
): Resolution {
  const file = /\.mdx?$/i.test(place) ? place : `${place}.md`;
  const page = place.endsWith("/") ? place.slice(0, -1) : file;
  const isOutside = page === ".." || page.startsWith("../");
  return {
    kind: "unresolved",
    reason: isOutside && reason === "missing" ? "outside" : reason,
    id: files.idOfMissing(page),
  };
}

/** The files that links can name. */
export interface LinkableFiles {
  readonly paths: PathIndex;
  readonly names: NameIndex;
  /** Top-level folders. Each may be the root of a site with links such as `/guides/start`. */
  readonly topFolders: readonly string[];
  /** Paths of folders, and of files that are not pages. */
  readonly others: ReadonlySet<string>;
  /** The top-level `index` or `README`, which `/` names. */
  readonly home: Entry | null;
  /** The id that a page at this path would have. */
  idOfMissing(path: string): string;
}

/**
 * Resolves a Markdown link or `href` in the file at `from`: relative to the file's folder or (as in Hugo) to the page's
 * own address, or from the root of the workspace or of a site in it. Otherwise a bare name means the only note with
 * that name.
 */
export function resolveHyperlink(files: LinkableFiles, from: string, target: string): Resolution {
  if (isElsewhere(target)) return { kind: "elsewhere" };
  const address = withoutFragment(target);
  const decoded = decode(address);
  const written = decoded ?? address.normalize("NFC");
  const candidates: string[] = [];
  for (const candidate of candidatesFor(files, from, written)) {
    const entry = findAt(files, candidate);
    if (entry !== null) return { kind: "entry", entry };
    candidates.push(candidate);
  }
  if (candidates.some((candidate) => files.others.has(placeOf(candidate)))) return { kind: "file" };
  if (!written.includes("/")) {
    const entry = files.names.onlyNote(written);
    if (entry !== null) return { kind: "entry", entry };
    if (files.names.hasFile(written)) return { kind: "file" };
  }
  const [first = written] = candidates;
  return unresolvedAt(files, first, decoded === null ? "malformed" : "missing");
}

/**
 * The note that a Markdown link names by the rules of Obsidian, which looks for its path in the whole vault as for that of a wiki link;
 * null if it begins with a dot or a slash, or there is no such note.
 */
export function noteInVault(
  { names }: Pick<LinkableFiles, "names">,
  from: string,
  target: string,
): Resolution | null {
  if (isElsewhere(target) || /^\.{0,2}\//.test(target)) return null;
  const written = decode(withoutFragment(target)) ?? target;
  // Obsidian has no notes with this ending.
  if (/\.mdx$/i.test(written)) return null;
  const entry = names.note(written, from);
  return entry === null ? null : { kind: "entry", entry };
}

/** Whether a target is an absolute address, or a heading of the same page. */
function isElsewhere(target: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|\/\/|#|\?|$)/i.test(target);
}

function findAt(files: LinkableFiles, candidate: string): Entry | null {
  const place = placeOf(candidate);
  return place === "." || place === "" ? files.home : files.paths.find(place, candidate.endsWith("/"));
}

function placeOf(candidate: string): string {
  return candidate.replace(/\/$/, "");
}

/**
 * The paths that a target may mean, best first. Absolute targets try the root of the workspace, then of the page's own
 * site, then of other sites. Relative ones may also be relative to the page as a folder, as on sites.
 */
function* candidatesFor(files: LinkableFiles, from: string, written: string): Generator<string> {
  const below = (folder: string) => path.posix.join(folder, `./${written}`);
  if (!written.startsWith("/")) {
    yield below(path.posix.dirname(from));
    if (!/\.mdx?$/i.test(written)) yield below(withoutEnding(from));
    return;
  }
  const [own = ""] = from.split("/", 1);
  for (const root of new Set(["", own, ...files.topFolders])) yield below(root);
}

function withoutFragment(target: string): string {
  return target.replace(/[?#].*$/s, "");
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text).normalize("NFC");
  } catch {
    return null;
  }
}

/**
 * Resolves a wiki link as Obsidian does: a path relative to the page's folder if it begins with a dot, else a file name
 * or path suffix. Beyond Obsidian, it may also be a title, an alias or a folder. Ignores a `#heading` or `^block`.
 */
export function resolveWikiLink(files: LinkableFiles, from: string, target: string): Resolution {
  const written = target
    .replace(/[#^].*$/s, "")
    .trim()
    .normalize("NFC");
  if (written === "") return { kind: "elsewhere" };
  const isRelative = /^\.\.?\//.test(written);
  const place = isRelative ? path.posix.join(path.posix.dirname(from), written) : written;
  const entry = isRelative
    ? files.paths.find(place.replace(/\/$/, ""), place.endsWith("/"))
    : files.names.find(place, from);
  if (entry !== null) return { kind: "entry", entry };
  const isFile = isRelative ? files.others.has(place) : files.names.hasFile(place);
  return isFile ? { kind: "file" } : unresolvedAt(files, path.posix.normalize(place.replace(/^\/+/, "")));
}

/** A link in a Markdown source. */
export interface WrittenLink {
  readonly kind: "wiki" | "hyperlink";
  readonly target: string;
}

const patterns = [
  /\[\[(?<wiki>[^[\]|\\\n]+)/g,
  /\](?:\(|:)\s*(?:<(?<bracketed>[^<>\n]*)>|(?<bare>[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*))/g,
  /\bhref=\{?["'`](?<attribute>[^"'`\n]*)/g,
  /\{\{[<%]\s*(?:rel)?ref\s+(?:path=)?["'`]?(?<reference>[^"'`\s]+)/g,
];

/**
 * Finds links in a Markdown source without parsing it. It includes links in code and misses unusual ones, which is good
 * enough to notice that link targets have changed.
 */
export function writtenLinks(source: string): readonly WrittenLink[] {
  const found = new Map<string, WrittenLink>();
  for (const pattern of patterns) {
    for (const { groups = {} } of source.matchAll(pattern)) {
      const target = Object.values(groups).find((text) => text !== undefined);
      const kind = groups.wiki === undefined ? "hyperlink" : "wiki";
      if (target !== undefined) found.set(`${kind} ${target}`, { kind, target });
    }
  }
  return [...found.values()];
}

import path from "node:path";
import type { Entry } from "../workspace/entry.ts";
import { idOf } from "../workspace/ids.ts";
import { withoutEnding } from "../workspace/title.ts";
import type { NameIndex, PathIndex } from "./link-index.ts";

/**
 * Why a link into the workspace leads to no page. `missing`: nothing has this path or name · `outside`: above the
 * workspace · `malformed`: not a valid URL path.
 */
export type LinkFault = "missing" | "outside" | "malformed";

/**
 * Where a link leads: to a page or database, to a file that is no page, to somewhere that is none of the workspace's
 * business (`elsewhere`: another site, an address, a place in the same page), or nowhere. What leads nowhere names a page
 * by the id that it will have where it is made as the link says.
 */
export type Resolution =
  | { readonly kind: "entry"; readonly entry: Entry }
  | { readonly kind: "file" }
  | { readonly kind: "elsewhere" }
  | { readonly kind: "unresolved"; readonly reason: LinkFault; readonly id: string };

/** A link to a path, relative to the workspace, at which there is nothing; a slash at its end names a folder. */
function unresolvedAt(place: string, reason: LinkFault = "missing"): Resolution {
  const isFile = /\.mdx?$/i.test(place);
  const page = place.endsWith("/") ? place.slice(0, -1) : isFile ? place : `${place}.md`;
  const isOutside = page === ".." || page.startsWith("../");
  return {
    kind: "unresolved",
    reason: isOutside && reason === "missing" ? "outside" : reason,
    id: idOf("page", page),
  };
}

/** What links are resolved against. */
export interface Site {
  readonly paths: PathIndex;
  readonly names: NameIndex;
  /** The folders at the top: each may be the root of a site whose pages link as `/guides/start`. */
  readonly topFolders: readonly string[];
  /** Paths of files that are no pages, and of folders. */
  readonly others: ReadonlySet<string>;
  /** The page of the workspace's own `index` or `README`, that `/` names. */
  readonly home: Entry | null;
}

/**
 * Resolves the target of a Markdown link or of an `href`, as a page at `from` (a file path) has it: relative to that
 * file's folder or, as Hugo has it, to the page's own address; or from the root of the workspace or of a site in it. A
 * bare name that no path has means the one note that is called so.
 */
export function resolveHyperlink(site: Site, from: string, target: string): Resolution {
  if (isElsewhere(target)) return { kind: "elsewhere" };
  const address = target.replace(/[?#].*$/s, "");
  const decoded = decode(address);
  const written = decoded ?? address.normalize("NFC");
  const candidates: string[] = [];
  for (const candidate of candidatesFor(site, from, written)) {
    const entry = findAt(site, candidate);
    if (entry !== null) return { kind: "entry", entry };
    candidates.push(candidate);
  }
  if (candidates.some((candidate) => site.others.has(placeOf(candidate)))) return { kind: "file" };
  if (!written.includes("/")) {
    const entry = site.names.onlyNote(written);
    if (entry !== null) return { kind: "entry", entry };
    if (site.names.hasFile(written)) return { kind: "file" };
  }
  const [first = written] = candidates;
  return unresolvedAt(first, decoded === null ? "malformed" : "missing");
}

/** Whether a target is an address of its own, or a place in the page that holds it. */
function isElsewhere(target: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|\/\/|#|\?|$)/i.test(target);
}

function findAt(site: Site, candidate: string): Entry | null {
  const place = placeOf(candidate);
  return place === "." || place === "" ? site.home : site.paths.find(place, candidate.endsWith("/"));
}

function placeOf(candidate: string): string {
  return candidate.replace(/\/$/, "");
}

/**
 * The paths that a target may mean. Those from the root begin at the workspace's, then at that of the site the page itself
 * belongs to, then at others. A relative one that names no file may be of a site, where a page is a folder.
 */
function* candidatesFor(site: Site, from: string, written: string): Generator<string> {
  const below = (folder: string) => path.posix.join(folder, `./${written}`);
  if (!written.startsWith("/")) {
    yield below(path.posix.dirname(from));
    if (!/\.mdx?$/i.test(written)) yield below(withoutEnding(from));
    return;
  }
  const [own = ""] = from.split("/", 1);
  for (const root of new Set(["", own, ...site.topFolders])) yield below(root);
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text).normalize("NFC");
  } catch {
    return null;
  }
}

/**
 * Resolves the target of a wiki link as Obsidian does: a path from the page's folder where it begins with a dot, else a
 * file's name or the end of a path; and, beyond Obsidian, a title, an alias or a folder. `target` has no words of its
 * own; a `#heading` or `^block` after it is ignored.
 */
export function resolveWikiLink(site: Site, from: string, target: string): Resolution {
  const written = target
    .replace(/[#^].*$/s, "")
    .trim()
    .normalize("NFC");
  if (written === "") return { kind: "elsewhere" };
  const isRelative = /^\.\.?\//.test(written);
  const place = isRelative ? path.posix.join(path.posix.dirname(from), written) : written;
  const entry = isRelative
    ? site.paths.find(place.replace(/\/$/, ""), place.endsWith("/"))
    : site.names.find(place, from);
  if (entry !== null) return { kind: "entry", entry };
  const isFile = isRelative ? site.others.has(place) : site.names.hasFile(place);
  return isFile ? { kind: "file" } : unresolvedAt(path.posix.normalize(place.replace(/^\/+/, "")));
}

/** A link as a text has it. */
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
 * What looks like a link in a Markdown source, found without parsing it: links in code are among them, and one or the
 * other that is written oddly is not. Good to tell whether links lead elsewhere than before, and for nothing else.
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

import path from "node:path";
import type { Entry } from "../workspace/entry.ts";
import { withoutEnding } from "../workspace/title.ts";
import type { NameIndex } from "./name-index.ts";
import type { PathIndex } from "./path-index.ts";
import { type Resolution, unresolvedAt } from "./resolution.ts";

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

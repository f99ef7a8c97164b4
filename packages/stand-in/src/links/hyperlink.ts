import path from "node:path";
import type { Entry } from "../workspace/entry.ts";
import type { PathIndex } from "./path-index.ts";
import type { LinkFault, Resolution } from "./resolution.ts";

/** What hyperlinks are resolved against. */
export interface Site {
  readonly paths: PathIndex;
  /** The folders at the top: each may be the root of a site whose pages link as `/guides/start`. */
  readonly topFolders: readonly string[];
  /** Paths of files that are no pages. */
  readonly others: ReadonlySet<string>;
  /** The page of the workspace's own `index` or `README`, that `/` names. */
  readonly home: Entry | null;
}

/**
 * Resolves the target of a Markdown link or of an `href`, as a page at `from` (a file path) has it: relative to that
 * file's folder, or from the root of the workspace or of a site in it.
 */
export function resolveHyperlink(site: Site, from: string, target: string): Resolution {
  if (isElsewhere(target)) return { kind: "elsewhere" };
  const written = decode(target.replace(/[?#].*$/s, ""));
  if (written === null) return { kind: "unresolved", reason: "malformed" };
  let reason: LinkFault = "missing";
  for (const candidate of candidatesFor(site, from, written)) {
    const found = findAt(site, candidate);
    if (typeof found !== "string") return { kind: "entry", entry: found };
    if (reason === "missing") reason = found;
  }
  return { kind: "unresolved", reason };
}

/** Whether a target is an address of its own, or a place in the page that holds it. */
function isElsewhere(target: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|\/\/|#|\?|$)/i.test(target);
}

function findAt(site: Site, candidate: string): Entry | LinkFault {
  if (candidate === ".." || candidate.startsWith("../")) return "outside";
  const place = candidate.replace(/\/$/, "");
  if (place === "." || place === "") return site.home ?? "missing";
  return (
    site.paths.find(place, candidate.endsWith("/")) ?? (site.others.has(place) ? "not_a_page" : "missing")
  );
}

/** Paths from the root begin at the workspace's, then at that of the site the page itself belongs to, then at others. */
function* candidatesFor(site: Site, from: string, written: string): Generator<string> {
  if (!written.startsWith("/")) return yield path.posix.join(path.posix.dirname(from), written);
  const [own = ""] = from.split("/", 1);
  yield path.posix.join(".", `.${written}`);
  for (const root of new Set([own, ...site.topFolders])) yield path.posix.join(root, `.${written}`);
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text).normalize("NFC");
  } catch {
    return null;
  }
}

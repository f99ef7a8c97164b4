import path from "node:path";
import type { Site } from "./hyperlink.ts";
import { type Resolution, unresolvedAt } from "./resolution.ts";

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

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { partFrontMatter } from "../../corpus/front-matter.ts";

/** A page's file, POSIX path relative to the folder. */
export interface Source {
  readonly path: string;
  readonly text: string;
  /** The YAML of its front matter. */
  readonly head: string;
}

/** The files of a folder, as a tool would find them. */
export interface Files {
  readonly pages: readonly Source[];
  /** The text of a file that is not a page; null if there is none. */
  read(file: string): Promise<string | null>;
}

/** A link from the file of one page to that of another, as it was written. */
export interface Link {
  readonly from: string;
  readonly to: string;
  readonly written: string;
}

/** Finds the links that a tool makes of a folder, by the tool's own documentation and independently of Clew. */
export type Truth = (files: Files) => Promise<Link[]>;

/** Reads the Markdown of a folder, without names that begin with a dot, `node_modules`, and symbolic links. */
export async function readFiles(root: string): Promise<Files> {
  const pages: Source[] = [];
  const pending = [""];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of await readdir(path.join(root, folder), { withFileTypes: true })) {
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      const place = path.posix.join(folder, entry.name);
      if (entry.isDirectory()) pending.push(place);
      else if (entry.isFile() && /\.mdx?$/i.test(entry.name)) {
        const text = (await readFile(path.join(root, place), "utf8")).replace(/\r\n?/g, "\n");
        pages.push({ path: place.normalize("NFC"), text, head: partFrontMatter(text).head });
      }
    }
  }
  return {
    pages: pages.sort((a, b) => (a.path < b.path ? -1 : 1)),
    read: (file) => readFile(path.join(root, file), "utf8").catch(() => null),
  };
}

/** The value of one line of YAML or TOML, without quotes; null if there is none. */
export function lineOf(head: string, name: string): string | null {
  const value = new RegExp(`^${name}[ \\t]*[:=][ \\t]*(.+)$`, "m").exec(head)?.[1]?.trim();
  return value === undefined ? null : value.replace(/^(["'])(.*)\1.*$/, "$2");
}

/** An address without percent-encoding; as it is if that is malformed. */
export function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** The page with this address and the part of the address that names it, after the rules of URLs (RFC 3986). */
export function pathOfUrl(href: string, base: string): string | null {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#|\?|$)/i.test(href)) return null;
  try {
    return decodeURIComponent(new URL(href, `https://site.invalid${encodeURI(base)}`).pathname).normalize(
      "NFC",
    );
  } catch {
    return null;
  }
}

/** An address without `index.html`, `.html` and a slash at its end, in lower case. */
export function plainAddress(address: string): string {
  return address.replace(/(?:\/index)?(?:\.html?)?\/*$/, "").toLowerCase() || "/";
}

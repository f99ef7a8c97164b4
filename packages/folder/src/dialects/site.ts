import { type Resolution, unresolvedAt } from "../links/resolve-link.ts";
import type { Entry } from "../workspace/entry.ts";
import type { DialectFiles, DialectLinks } from "./dialect.ts";

/** The rules of a tool that makes a site of a folder: each page has an address, and links are addresses. */
export interface Site {
  /** The address of a page below the root of the site, ending with a slash if relative links begin inside it; null if it is not part of the site. */
  addressOf(entry: Entry): string | null;
  /** Further addresses that lead to a page. */
  otherAddresses?(entry: Entry, address: string): readonly string[];
  /** The addresses at which the target of a link is looked for, best first; by default the address alone. */
  candidates?(
    address: string,
    link: { readonly from: string; readonly isAbsolute: boolean },
  ): readonly string[];
  /** Finds a page by a name or path that is no address; null if there is none. */
  named?(name: string, from: Entry): Entry | null;
}

const origin = "https://site.invalid";

/**
 * Resolves links as addresses of a site (RFC 3986, section 5). A target with the ending of a Markdown file is a path, by the
 * rules of plain Markdown or from the root of the site; so is a relative link of a file that is not part of the site. An
 * address that no page has may name a file, but never a folder without text.
 */
export function siteLinks(files: DialectFiles, site: Site): DialectLinks {
  const addresses = new Map<Entry, string>();
  const pages = new Map<string, Entry>();
  const add = (address: string, entry: Entry) => {
    const key = plainAddress(address);
    if (!pages.has(key)) pages.set(key, entry);
  };
  for (const entry of files.entries) {
    const address = entry.file === null ? null : site.addressOf(entry);
    if (address !== null) addresses.set(entry, address);
  }
  for (const [entry, address] of addresses) add(address, entry);
  for (const [entry, address] of addresses)
    for (const other of site.otherAddresses?.(entry, address) ?? [])
      add(pathOf(other, address) ?? other, entry);

  const find = (target: string, from: string): Entry | null => {
    const address = pathOf(target, from);
    if (address === null) return null;
    const isAbsolute = target.startsWith("/");
    for (const candidate of site.candidates?.(address, { from, isAbsolute }) ?? [address]) {
      const entry = pages.get(plainAddress(candidate));
      if (entry !== undefined) return entry;
    }
    return null;
  };
  const named = (target: string, from: Entry) => site.named?.(target.replace(/[?#].*$/s, ""), from) ?? null;
  const fileBelowRoot = (from: Entry, target: string): Resolution | null => {
    if (!target.startsWith("/") || files.plain(from).hyperlink(target).kind === "entry") return null;
    const address = target.replace(/(?:\/_?index)?\.mdx?(?=[?#]|$)/i, "");
    const entry = find(address, addresses.get(from) ?? "/") ?? named(address, from);
    return entry === null ? null : { kind: "entry", entry };
  };
  return {
    hyperlink(from, target): Resolution | null {
      // Parts that a site puts into its pages have no address of their own.
      const base = addresses.get(from) ?? (target.startsWith("/") ? "/" : undefined);
      if (base === undefined || isElsewhere(target)) return null;
      if (isFile(target)) return fileBelowRoot(from, target);
      const entry = find(target, base) ?? named(target, from);
      if (entry !== null) return { kind: "entry", entry };
      const plain = files.plain(from).hyperlink(target);
      const isBare = plain.kind === "entry" && plain.entry.file === null && plain.entry.kind === "page";
      return isBare ? unresolvedAt(files, addressOfMissing(target, base)) : plain;
    },
  };
}

/** The place of an address that no page has, relative to the root of the site. */
function addressOfMissing(target: string, base: string): string {
  return (pathOf(target, base) ?? target).replace(/^\/+|(?<!\/)\/+$/g, "");
}

/** The path of an address that is relative to another one, decoded and in NFC; null if it is malformed or on another site. */
function pathOf(target: string, base: string): string | null {
  const url = URL.parse(target, origin + encodeURI(base));
  if (url === null || url.origin !== origin) return null;
  try {
    return decodeURIComponent(url.pathname).normalize("NFC");
  } catch {
    return null;
  }
}

/** An address without what servers add: `index.html`, `.html`, a slash at the end, capitals. */
function plainAddress(address: string): string {
  return (
    address
      .replace(/(?<!\/)\/+$/, "")
      .replace(/(?:\/index)?(?:\.html?)?$/i, "")
      .toLowerCase() || "/"
  );
}

function isElsewhere(target: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|\/\/|#|\?|$)/i.test(target);
}

function isFile(target: string): boolean {
  return /\.mdx?(?:[?#]|$)/i.test(target);
}

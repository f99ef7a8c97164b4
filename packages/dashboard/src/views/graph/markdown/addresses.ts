import { uuidOf } from "@clew/text/basics";

/** The destination of a link in a text: to a page of the graph, to another place, or nowhere that a browser should follow. */
export type Destination =
  | { readonly kind: "page"; readonly id: string }
  | { readonly kind: "place"; readonly href: string }
  | { readonly kind: "none" };

const hosts = new Set(["www.notion.so", "notion.so", "app.notion.com"]);
const safeProtocols = new Set(["https:", "http:", "mailto:"]);
const maxLength = 8192;

/**
 * Reads the address of a link or mention. An id, an address of a page at the provider, or one of the demo workspace at
 * `demo` is a page; of the rest, only addresses that open a site or a letter are followed.
 */
export function destinationOf(address: string, demo: URL): Destination {
  if (address.length > maxLength) return { kind: "none" };
  const bare = idOf(address.replace(/^collection:\/\//, ""));
  if (bare !== null) return { kind: "page", id: bare };
  // `//host` and `/\host` would name another host.
  const isPath = /^\/(?![/\\])/.test(address);
  const url = URL.parse(address, isPath ? "https://www.notion.so" : undefined);
  if (url === null) return { kind: "none" };
  const id = pageOf(url, demo);
  if (id !== null) return { kind: "page", id };
  return safeProtocols.has(url.protocol) ? { kind: "place", href: url.href } : { kind: "none" };
}

function pageOf(url: URL, demo: URL): string | null {
  if (url.href.startsWith(demo.href)) return idOf(url.pathname.split("/").at(-1) ?? "");
  const isProvider = hosts.has(url.hostname) || url.hostname.endsWith(".notion.site");
  if (!isProvider || !/^https?:$/.test(url.protocol)) return null;
  const last = url.pathname.split("/").findLast((segment) => segment !== "") ?? "";
  return idOf(url.searchParams.get("p") ?? "") ?? idAfterWords(last, 36) ?? idAfterWords(last, 32);
}

/** The id of a length at the end of a text, after words and a dash or alone. */
function idAfterWords(text: string, length: number): string | null {
  const words = text.slice(0, -length);
  return words === "" || words.endsWith("-") ? idOf(text.slice(-length)) : null;
}

/** An id with dashes; null for anything else. */
function idOf(text: string): string | null {
  const digits = text.replaceAll("-", "").toLowerCase();
  if (!/^[0-9a-f]{32}$/.test(digits) || (text.length !== 32 && text.length !== 36)) return null;
  return uuidOf(digits);
}

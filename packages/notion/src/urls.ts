import { type NodeId, parseNodeId } from "@clew/graph";
import {
  maxUrlLength,
  permanentUrl as permanent,
  type TextAddresses,
  withoutExpiringUrls as withoutExpiring,
} from "@clew/provider-text";

/*
 * Addresses in the provider's answers: which page or block one opens, and whether it may be stored.
 */

/** How the demo workspace's answers differ from Notion's. */
export interface Dialect {
  /**
   * Set for the demo workspace alone: the addresses of its pages are `<demoUrl>pages/<id>`, and its pages and databases
   * have `aliases`.
   */
  readonly demoUrl: Pick<URL, "href" | "origin" | "pathname"> | null;
}

export const notionDialect: Dialect = { demoUrl: null };

/** A dialect that can be sent to a thread. */
export function dialectOf(demoUrl: URL | null): Dialect {
  if (demoUrl === null) return notionDialect;
  const { href, origin, pathname } = demoUrl;
  return { demoUrl: { href, origin, pathname } };
}

/** Reads the addresses in a text of the provider. */
export function addressesIn(dialect: Dialect): TextAddresses {
  return {
    pageOf: (href) => pageOfUrl(href, dialect),
    blockOf: (href) => blockOfUrl(href, dialect),
    isUpload,
  };
}

/** Completes addresses without a host. */
const notionOrigin = "https://www.notion.so";

const notionHosts = new Set(["www.notion.so", "notion.so", "www.notion.com", "notion.com", "app.notion.com"]);
/** `notion:` opens the desktop app. */
const schemes = new Set(["https:", "http:", "notion:"]);

/**
 * The page or database that a hyperlink opens; null if it opens anything else. Notion's addresses are
 * `https://www.notion.so/[workspace/]slug-<id>`, `https://notion.so/…`, `https://app.notion.com/p/[workspace/]slug-<id>`,
 * `https://<any>.notion.site/slug-<id>`, the first of these at `www.notion.com`, with `/native` before the path or with the scheme
 * `notion:`, and `/<id>` for a page of the same workspace. `?p=<id>` opens a page on top of
 * another and wins; `?v=` is a view and `#` a block.
 */
export function pageOfUrl(href: string, dialect = notionDialect): NodeId | null {
  const url = parse(href);
  if (url === null) return null;
  const demoPage = pageOfDemoUrl(url, dialect);
  if (demoPage !== null || !isNotionUrl(url)) return demoPage;
  return parseNodeId(url.searchParams.get("p") ?? "") ?? pageOfPath(url);
}

/** The block in a hyperlink's fragment, `…#<id>`; null if it has none or is not the provider's address. */
export function blockOfUrl(href: string, dialect = notionDialect): string | null {
  const url = parse(href);
  if (url === null || (!isNotionUrl(url) && pageOfDemoUrl(url, dialect) === null)) return null;
  return parseNodeId(url.hash.slice(1));
}

/** The address of a page or database as the provider writes it in texts. */
export function urlOfPage(id: NodeId): string {
  return `${notionOrigin}/${id.replaceAll("-", "")}`;
}

function parse(href: string): URL | null {
  if (href.length > maxUrlLength) return null;
  // `//host` and `/\host` would name another host.
  const isPath = /^\/(?![/\\])/.test(href);
  return URL.parse(href, isPath ? notionOrigin : undefined);
}

function pageOfDemoUrl(url: URL, { demoUrl }: Dialect): NodeId | null {
  if (demoUrl === null || url.origin !== demoUrl.origin) return null;
  const pages = `${demoUrl.pathname}pages/`;
  return url.pathname.startsWith(pages) ? parseNodeId(url.pathname.slice(pages.length)) : null;
}

function isNotionUrl(url: URL): boolean {
  if (!schemes.has(url.protocol) || url.port !== "") return false;
  // A parser keeps the case of a host for schemes that it does not know.
  const host = url.hostname.toLowerCase();
  return notionHosts.has(host) || host.endsWith(".notion.site");
}

/** The id at the end of a path of at most a workspace and a slug, after `native` if the address asks for the desktop app. */
function pageOfPath(url: URL): NodeId | null {
  const segments = url.pathname.split("/").filter((segment) => segment !== "");
  if (segments[0] === "native") segments.shift();
  if (url.hostname === "app.notion.com" && segments.shift() !== "p") return null;
  const slug = segments.pop();
  if (slug === undefined || segments.length > 1) return null;
  return idAtEnd(slug, 32) ?? idAtEnd(slug, 36);
}

/** The id in a slug's last `length` characters, preceded by a dash unless it is the whole slug. */
function idAtEnd(slug: string, length: number): NodeId | null {
  const before = slug.slice(0, -length);
  return before === "" || before.endsWith("-") ? parseNodeId(slug.slice(-length)) : null;
}

/**
 * Hosts of uploaded files. Their addresses carry a signature that expires after an hour.
 * https://developers.notion.com/reference/file-object
 */
const uploadHosts = [
  /^prod-files-secure\.s3[.-]/,
  /^secure\.notion-static\.com$/,
  /^file\.notion\.so$/,
  /^files?\.notionusercontent\.com$/,
  /^img\.notionusercontent\.com$/,
];

function isUpload(url: URL): boolean {
  return (
    uploadHosts.some((host) => host.test(url.hostname)) ||
    url.pathname.startsWith("/secure.notion-static.com/")
  );
}

/** An https address that does not expire, or one of the demo workspace's; null for anything else (ERR-6). */
export function permanentUrl(address: string | null, { demoUrl } = notionDialect): string | null {
  return permanent(address, { isUpload, own: demoUrl });
}

/** Replaces every address in a text that expires by `attachment:` and the file's name. */
export function withoutExpiringUrls(text: string): string {
  return withoutExpiring(text, isUpload);
}

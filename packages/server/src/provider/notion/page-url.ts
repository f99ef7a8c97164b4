import { type NodeId, parseNodeId } from "@clew/graph";
import { type Dialect, notionDialect } from "./dialect.ts";

/** Longer addresses are nobody's page. */
const maximumLength = 8192;

/** Stands for the host of addresses that name none. */
const home = "https://www.notion.so";

const hosts = new Set(["www.notion.so", "notion.so", "app.notion.com"]);

/**
 * The page or database that a hyperlink opens; null where it leads anywhere else. Known are
 * `https://www.notion.so/[workspace/]slug-<id>`, `https://notion.so/…`, `https://app.notion.com/p/[workspace/]slug-<id>`,
 * `https://<any>.notion.site/slug-<id>` and `/<id>`, which stands in texts for a page of the same workspace.
 * `?p=<id>` opens a page over another and is then the one that is meant; `?v=` is a view and `#` a block of the page.
 * The demo workspace's own are `<demoUrl>pages/<id>`.
 */
export function pageOfUrl(href: string, dialect = notionDialect): NodeId | null {
  const url = parse(href);
  if (url === null) return null;
  const own = pageOfDemo(url, dialect);
  if (own !== null || !isProviders(url)) return own;
  const opened = parseNodeId(url.searchParams.get("p") ?? "");
  return opened ?? pageOfPath(url);
}

/**
 * The block that a hyperlink's fragment names: `…#<id>`. Null where the address is not the provider's or names no
 * block.
 */
export function blockOfUrl(href: string, dialect = notionDialect): string | null {
  const url = parse(href);
  if (url === null || (!isProviders(url) && pageOfDemo(url, dialect) === null)) return null;
  return parseNodeId(url.hash.slice(1));
}

/** The address of a page or database, as the provider writes it in texts. */
export function urlOfPage(id: NodeId): string {
  return `${home}/${id.replaceAll("-", "")}`;
}

function pageOfDemo(url: URL, { demoUrl }: Dialect): NodeId | null {
  if (demoUrl === null || url.origin !== demoUrl.origin) return null;
  const pages = `${demoUrl.pathname}pages/`;
  return url.pathname.startsWith(pages) ? parseNodeId(url.pathname.slice(pages.length)) : null;
}

function parse(href: string): URL | null {
  if (href.length > maximumLength) return null;
  return URL.parse(href, isRelative(href) ? home : undefined);
}

/** A path on the same host; `//host` and `/\host` would name another. */
function isRelative(href: string): boolean {
  return /^\/(?![/\\])/.test(href);
}

function isProviders(url: URL): boolean {
  if (url.protocol !== "https:" && url.protocol !== "http:") return false;
  return url.port === "" && (hosts.has(url.hostname) || url.hostname.endsWith(".notion.site"));
}

/** The id at the end of a path of at most a workspace and a slug. */
function pageOfPath(url: URL): NodeId | null {
  const segments = url.pathname.split("/").filter((segment) => segment !== "");
  if (url.hostname === "app.notion.com" && segments.shift() !== "p") return null;
  const slug = segments.pop();
  if (slug === undefined || segments.length > 1) return null;
  return idAtEnd(slug, 32) ?? idAtEnd(slug, 36);
}

/** The id in a slug's last `length` characters, a dash before it unless it is the whole slug. */
function idAtEnd(slug: string, length: number): NodeId | null {
  const before = slug.slice(0, -length);
  return before === "" || before.endsWith("-") ? parseNodeId(slug.slice(-length)) : null;
}

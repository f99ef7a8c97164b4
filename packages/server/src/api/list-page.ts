import type { FastifyReply, FastifyRequest } from "fastify";
import type { Cursors } from "../operations/cursors.ts";

/** A list that is read from the store, a page at a time. */
interface List<Item, Position> {
  readonly cursors: Cursors<Position>;
  readonly cursor: string | undefined;
  readonly limit: number;
  /** Up to `count` items after a position, or from the start. */
  readonly read: (after: Position | undefined, count: number) => Promise<readonly Item[]>;
  readonly positionOf: (item: Item) => Position;
}

/**
 * One page of a list, and the cursor of the next one, also as the response's `Link` (GRAPH-12). Throws `ApiError`
 * `invalid_cursor` for a cursor of any other list.
 */
export async function readListPage<Item, Position>(
  request: FastifyRequest,
  reply: FastifyReply,
  { cursors, cursor, limit, read, positionOf }: List<Item, Position>,
): Promise<{ items: Item[]; next_cursor: string | null }> {
  const found = await read(cursor === undefined ? undefined : cursors.decode(cursor), limit + 1);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const isLastPage = found.length === items.length || last === undefined;
  const next_cursor = isLastPage ? null : cursors.encode(positionOf(last));
  return linkNextPage(request, reply, { items, next_cursor });
}

/** Adds a `Link` to the next page of a list, if there is one (GRAPH-12). Returns the page. */
export function linkNextPage<Page extends { readonly next_cursor: string | null }>(
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page,
): Page {
  if (page.next_cursor !== null) reply.header("link", nextLink(request.url, "cursor", page.next_cursor));
  return page;
}

/** A `Link` to the next page (RFC 8288, section 3): the request's path and query with `parameter` set and others left out. */
export function nextLink(
  url: string,
  parameter: string,
  value: string,
  leftOut: readonly string[] = [],
): string {
  const next = new URL(url, "http://this.host");
  for (const name of leftOut) next.searchParams.delete(name);
  next.searchParams.set(parameter, value);
  return `<${next.pathname}${next.search}>; rel="next"`;
}

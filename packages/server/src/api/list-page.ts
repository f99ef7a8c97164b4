import type { FastifyReply, FastifyRequest } from "fastify";
import type { Cursors } from "../operations/cursors.ts";
import { linkNextPage } from "./next-link.ts";

/** A list that is read from the store, a page at a time. */
interface List<Item, Position> {
  /** What a cursor of the list is good for: the list, its reader and every parameter that shapes it. */
  readonly binding: readonly unknown[];
  readonly cursor: string | undefined;
  readonly limit: number;
  /** Up to `count` items, those that follow a position where there is one. */
  readonly read: (after: Position | undefined, count: number) => Promise<readonly Item[]>;
  readonly positionOf: (item: Item) => Position;
}

/**
 * One page of a list, and the cursor of the next one, also as the answer's `Link` (GRAPH-12). Refuses with
 * `invalid_cursor` a cursor of any other list.
 */
export async function readListPage<Item, Position>(
  { request, reply, cursors }: { request: FastifyRequest; reply: FastifyReply; cursors: Cursors },
  { binding, cursor, limit, read, positionOf }: List<Item, Position>,
): Promise<{ items: Item[]; next_cursor: string | null }> {
  const bound = JSON.stringify(binding);
  // What was encoded under the same binding is a position of this list: it is authenticated.
  const after = cursor === undefined ? undefined : (cursors.decode(bound, cursor) as Position);
  const found = await read(after, limit + 1);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  if (found.length === items.length || last === undefined) return { items, next_cursor: null };
  const next_cursor = cursors.encode(bound, positionOf(last));
  return linkNextPage(request, reply, { items, next_cursor });
}

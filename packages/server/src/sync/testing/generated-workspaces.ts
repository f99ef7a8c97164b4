import { bareId, listObject, pageObject, someId } from "@clew/notion/testing";
import { apiError, json } from "./workspace.ts";

/** No workspace has more pages, so that no two of them share an id. */
const maxPages = 1_000_000;

/** Credentials that open the workspace of this number, which has `pages` pages. */
export function generatedToken(number: number, pages: number): string {
  return `generated-${number}-${pages}`;
}

/**
 * A provider in this process, in the place of `fetch`: each of its credentials opens a workspace of its own, of pages
 * below one another in tens, each of which links to the next. It holds none of them in memory.
 */
export async function generatedFetch(input: unknown, init: RequestInit = {}): Promise<Response> {
  const authorization = new Headers(init.headers).get("authorization") ?? "";
  const [number = 0, pages = 0] = (/generated-(\d+)-(\d+)$/.exec(authorization) ?? []).slice(1).map(Number);
  const first = number * maxPages;
  const [, , kind, id = "", part] = new URL(String(input)).pathname.split("/");
  if (kind === "search") {
    const { start_cursor: cursor } = JSON.parse(String(init.body)) as { start_cursor?: string };
    return json(listing(first, pages, Number(cursor ?? 0)));
  }
  const page = Number.parseInt(id.slice(-12), 16) - first;
  if (kind !== "pages" || part !== "markdown" || !(page >= 0 && page < pages))
    return apiError(404, "object_not_found");
  const markdown = textOf(page, first + ((page + 1) % pages));
  return json({ object: "page_markdown", id, markdown, truncated: false, unknown_block_ids: [] });
}

/** One answer of search: a hundred pages. */
function listing(first: number, pages: number, from: number) {
  const to = Math.min(pages, from + 100);
  const results = Array.from({ length: to - from }, (_, index) => {
    const page = from + index;
    const above = { type: "page_id", page_id: someId(first + Math.floor(page / 10)) };
    return pageObject(first + page, page < 10 ? {} : { parent: above });
  });
  return listObject(results, to < pages ? String(to) : null);
}

/** Half a kilobyte. */
function textOf(page: number, next: number): string {
  const sentence = `This is what page ${page} says, and it says so at some length. `;
  return `${sentence.repeat(8)}\n\nOn to [the next](https://www.notion.so/${bareId(next)}).\n`;
}

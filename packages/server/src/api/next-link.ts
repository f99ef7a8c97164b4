import type { FastifyReply, FastifyRequest } from "fastify";

/** Names the next page of a list as the `Link` of its answer, where there is one (GRAPH-12). Returns the page. */
export function linkNextPage<Page extends { readonly next_cursor: string | null }>(
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page,
): Page {
  const { next_cursor } = page;
  if (next_cursor !== null) reply.header("link", nextLink(request.url, "cursor", next_cursor));
  return page;
}

/**
 * The `Link` to what follows the answer to the request at `url` (RFC 8288, section 3): the same address, without
 * its host, with one parameter changed.
 */
export function nextLink(url: string, parameter: string, value: string): string {
  const next = new URL(url, "http://this.host");
  next.searchParams.set(parameter, value);
  return `<${next.pathname}${next.search}>; rel="next"`;
}

/**
 * The `Link` to what follows the answer to the request at `url` (RFC 8288, section 3): the same address, without
 * its host, with one parameter changed.
 */
export function nextLink(url: string, parameter: string, value: string): string {
  const next = new URL(url, "http://this.host");
  next.searchParams.set(parameter, value);
  return `<${next.pathname}${next.search}>; rel="next"`;
}

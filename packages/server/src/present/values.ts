/** Milliseconds since the Unix epoch as RFC 3339 in UTC with milliseconds. */
export function formatTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

export function formatOptionalTimestamp(milliseconds: number | null): string | null {
  return milliseconds === null ? null : formatTimestamp(milliseconds);
}

/** Schemes in which a provider's URL may leave (ERR-6). */
const harmless = new Set(["https:", "mailto:"]);

/**
 * A provider's URL as it may leave: https, mailto, or a page of the demo workspace, which may be served on plain http.
 * That the host is Clew's own was seen to where the URL was read. null for any other.
 */
export function presentLink(url: string | null): string | null {
  const parsed = url === null ? null : URL.parse(url);
  return parsed !== null && (harmless.has(parsed.protocol) || isOfDemo(parsed)) ? url : null;
}

function isOfDemo({ protocol, pathname }: URL): boolean {
  return protocol === "http:" && pathname.includes("/demo/");
}

/** Code points that emoji consist of, joiners, skin tones and flags' letters included (Unicode TR 51). */
const emoji = /^[\p{Emoji}\p{Emoji_Component}]{1,32}$/u;

/** A provider's icon as it may leave: an emoji or a link, null for anything else. */
export function presentIcon(icon: string | null): string | null {
  return icon !== null && emoji.test(icon) ? icon : presentLink(icon);
}

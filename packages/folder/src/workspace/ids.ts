import { createHash } from "node:crypto";

/** The kind of thing that an id identifies. Things of different kinds have different ids, even with the same name. */
export type IdKind =
  | "page"
  | "database"
  | "data-source"
  | "block"
  | "person"
  | "bot"
  | "workspace"
  | "option"
  | "tag"
  | "given";

/** A UUID (version 8, RFC 9562) derived from a kind and a name, so that it is the same on every machine. */
export function idOf(kind: IdKind, name: string): string {
  const bytes = createHash("sha256").update(kind).update("\0").update(name.normalize("NFC")).digest();
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return dashed(bytes.toString("hex", 0, 16));
}

/** Derives the id of a page or database from its origin. */
export type IdOf = (kind: "page" | "database", origin: string) => string;

/**
 * Returns how a workspace derives ids. They differ between workspaces whatever the paths and front matter are: two folders may be
 * clones of one repository. Without a workspace an id that front matter gives is the page's own, as at a provider that chooses ids.
 */
export function idsIn(workspaceId: string | null): IdOf {
  return (kind, origin) => {
    const given = isGiven(origin) ? origin.slice(givenMark.length) : null;
    if (workspaceId === null) return given ?? idOf(kind, origin);
    return idOf(given === null ? kind : "given", `${workspaceId}\n${given ?? origin}`);
  };
}

/** Begins the origin of a page whose front matter gives its id. No path contains a zero. */
const givenMark = "\0";

/** The origin of a page whose front matter gives this id. */
export function givenOrigin(id: string): string {
  return givenMark + id;
}

/** Whether an origin is an id that front matter gives. */
export function isGiven(origin: string): boolean {
  return origin.startsWith(givenMark);
}

/** The number of hex digits that the ids of a page and its blocks share, which finds the page of a block. */
const pagePrefixLength = 12;

/** The id of a block, derived from its position in its page. */
export function blockIdOf(pageId: string, position: string): string {
  const own = bare(idOf("block", `${pageId}/${position}`));
  return dashed(pagePrefix(pageId) + own.slice(pagePrefixLength));
}

/** The prefix that the ids of a page and its blocks share. */
export function pagePrefix(id: string): string {
  return bare(id).slice(0, pagePrefixLength);
}

/** An id without dashes, as in URLs. */
export function bare(id: string): string {
  return id.replaceAll("-", "");
}

/** Parses an id, with or without dashes, in any case; null if it is invalid. */
export function parseId(text: string): string | null {
  const hex = /^[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}$/i.test(text);
  return hex ? dashed(bare(text.toLowerCase())) : null;
}

/** The `id` of front matter if it is a UUID. Other values are ordinary properties. */
export function givenId(value: unknown): string | null {
  return typeof value === "string" ? parseId(value) : null;
}

function dashed(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

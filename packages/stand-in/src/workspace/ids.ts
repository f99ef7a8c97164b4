import { createHash } from "node:crypto";

/** What an id names: two things of one path but of different kinds have different ids. */
export type IdKind =
  | "page"
  | "database"
  | "data-source"
  | "block"
  | "person"
  | "bot"
  | "workspace"
  | "option";

/**
 * A stable UUID (version 8, RFC 9562) for the thing of this kind and name: the same in every process, on every
 * machine and wherever the folder lies.
 */
export function idOf(kind: IdKind, name: string): string {
  const bytes = createHash("sha256").update(kind).update("\0").update(name.normalize("NFC")).digest();
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return dashed(bytes.toString("hex", 0, 16));
}

/** How many hex digits a block's id shares with its page's: enough to find the page of a block by its id alone. */
const pagePrefixLength = 12;

/** The id of a block, by its place in its page. It begins as the page's does. */
export function blockIdOf(pageId: string, place: string): string {
  const own = bare(idOf("block", `${pageId}/${place}`));
  return dashed(pagePrefix(pageId) + own.slice(pagePrefixLength));
}

/** The part of an id that a page shares with its blocks. */
export function pagePrefix(id: string): string {
  return bare(id).slice(0, pagePrefixLength);
}

/** An id without its dashes, as URLs have it. */
export function bare(id: string): string {
  return id.replaceAll("-", "");
}

/** Reads an id written with or without dashes, in either case; null where it is none. */
export function parseId(text: string): string | null {
  const hex = /^[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}$/i.test(text);
  return hex ? dashed(bare(text.toLowerCase())) : null;
}

/** The id that front matter gives: a UUID. Anything else called `id` is somebody's own business. */
export function givenId(value: unknown): string | null {
  return typeof value === "string" ? parseId(value) : null;
}

function dashed(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

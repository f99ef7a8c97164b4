import { createHash } from "node:crypto";

/**
 * A strong entity tag (RFC 9110, section 8.8.3) that changes whenever one of these facts does: name all that
 * the bytes of the representation depend on.
 */
export function entityTag(facts: readonly (string | number)[]): string {
  const digest = createHash("sha256").update(JSON.stringify(facts)).digest();
  return `"${digest.subarray(0, 16).toString("base64url")}"`;
}

/**
 * Whether `If-None-Match` names the entity tag, or `*`, so that the caller has the representation already
 * (RFC 9110, section 13.1.2). The comparison is the weak one: a proxy may have weakened the tag.
 */
export function isKnown(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch?.trim() === "*") return true;
  const tags: readonly string[] = ifNoneMatch?.match(/"[^"]*"/g) ?? [];
  return tags.includes(tag);
}

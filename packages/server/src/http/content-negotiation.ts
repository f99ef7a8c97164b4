import { createHash } from "node:crypto";

/**
 * The best of the offered media types for an `Accept` header (RFC 9110, section 12.5.1): the one of the highest
 * quality, the first of several; null if none is acceptable. Without the header all are. Parameters other than `q` are
 * ignored, so `text/markdown; charset=utf-8` accepts Markdown.
 */
export function negotiate<MediaType extends string>(
  accept: string | undefined,
  offered: readonly MediaType[],
): MediaType | null {
  const ranges = (accept?.trim() || "*/*").split(",").flatMap(readRange);
  let best: { readonly mediaType: MediaType; readonly quality: number } | null = null;
  for (const mediaType of offered) {
    const quality = qualityOf(mediaType, ranges);
    if (quality > (best?.quality ?? 0)) best = { mediaType, quality };
  }
  return best?.mediaType ?? null;
}

interface MediaRange {
  readonly pattern: string;
  /** 0 to 1. */
  readonly quality: number;
}

/** Reads one element of the list; empty if it is not a media range. */
function readRange(element: string): MediaRange[] {
  const [pattern = "", ...parameters] = element.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
  if (!/^[^\s/]+\/[^\s/]+$/.test(pattern) || !/^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight)) return [];
  return [{ pattern, quality: Number(weight) }];
}

/** The quality of a media type by the most specific matching range; 0 without one. */
function qualityOf(mediaType: string, ranges: readonly MediaRange[]): number {
  const family = `${mediaType.split("/", 1)[0]}/*`;
  for (const pattern of [mediaType, family, "*/*"]) {
    const fitting = ranges.filter((range) => range.pattern === pattern);
    if (fitting.length > 0) return Math.max(...fitting.map(({ quality }) => quality));
  }
  return 0;
}

/** Whether an `Accept-Encoding` header (RFC 9110, section 12.5.3) names the coding. `*` does not count: no browser sends it. */
export function acceptsEncoding(accept: string | undefined, encoding: string): boolean {
  return (accept ?? "").split(",").some((element) => {
    const [name = "", weight = ""] = element.split(";").map((part) => part.trim().toLowerCase());
    return name === encoding && !/^q=0(?:\.0*)?$/.test(weight);
  });
}

/** A strong entity tag (RFC 9110, section 8.8.3) of everything that the bytes of a representation depend on. */
export function entityTag(facts: readonly (string | number)[]): string {
  const digest = createHash("sha256").update(JSON.stringify(facts)).digest();
  return `"${digest.subarray(0, 16).toString("base64url")}"`;
}

/**
 * Whether `If-None-Match` names the entity tag, or `*`: the client has the representation (RFC 9110, section 13.1.2).
 * The comparison is weak, because a compressing proxy weakens tags.
 */
export function matchesEntityTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch?.trim() === "*") return true;
  const tags: readonly string[] = ifNoneMatch?.match(/"[^"]*"/g) ?? [];
  return tags.includes(tag);
}

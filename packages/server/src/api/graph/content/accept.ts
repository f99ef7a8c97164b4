/**
 * The best of the media types on offer for an `Accept` header (RFC 9110, section 12.5.1): the one of the highest
 * quality, the first of several; null where none is acceptable. Without the header all are welcome.
 * Parameters other than `q` are passed over, so that `text/markdown; charset=utf-8` accepts Markdown.
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

/** Reads one element of the list; what is no media range is passed over. */
function readRange(element: string): MediaRange[] {
  const [pattern = "", ...parameters] = element.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
  if (!/^[^\s/]+\/[^\s/]+$/.test(pattern) || !/^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight)) return [];
  return [{ pattern, quality: Number(weight) }];
}

/** The quality that the most specific range with this media type gives it; 0 where none has it. */
function qualityOf(mediaType: string, ranges: readonly MediaRange[]): number {
  const family = `${mediaType.split("/", 1)[0]}/*`;
  for (const pattern of [mediaType, family, "*/*"]) {
    const fitting = ranges.filter((range) => range.pattern === pattern);
    if (fitting.length > 0) return Math.max(...fitting.map(({ quality }) => quality));
  }
  return 0;
}

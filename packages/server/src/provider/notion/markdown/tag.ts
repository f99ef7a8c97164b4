/** A tag of the provider's Markdown, which has the form of XML: `<mention-page url="…"/>`. */
export interface Tag {
  readonly name: string;
  readonly closing: boolean;
  readonly attributes: ReadonlyMap<string, string>;
  /** Where the text after the tag begins. */
  readonly end: number;
}

const shape = /<(\/?)([a-z][\w-]*)((?:\s+[\w-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*\/?>/iy;
const attribute = /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * Reads the tag that begins at a position of a line; null where there is none.
 * https://developers.notion.com/guides/data-apis/enhanced-markdown
 */
export function tagAt(line: string, position: number): Tag | null {
  shape.lastIndex = position;
  const match = shape.exec(line);
  if (match === null) return null;
  const [, slash, name = "", attributes = ""] = match;
  return {
    name: name.toLowerCase(),
    closing: slash !== "",
    attributes: new Map(
      [...attributes.matchAll(attribute)].map(([, key = "", double, single]) => [
        key,
        decoded(double ?? single ?? ""),
      ]),
    ),
    end: shape.lastIndex,
  };
}

/** Undoes the one escape that matters in addresses. */
function decoded(value: string): string {
  return value.replaceAll("&amp;", "&");
}

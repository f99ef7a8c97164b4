/** The attributes of a tag, by name. */
export type Attributes = ReadonlyMap<string, string>;

const attribute = /(?<![\w-])([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Reads the attributes of a tag, or of a list in braces. `&amp;` is the one escape that matters in addresses. */
export function attributesOf(source: string): Attributes {
  return new Map(
    [...source.matchAll(attribute)].map(([, name = "", double, single]) => [
      name,
      (double ?? single ?? "").replaceAll("&amp;", "&"),
    ]),
  );
}

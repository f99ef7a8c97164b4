import { oneLine } from "@clew/text/basics";

/** The most code points of a title, an alias or the name of a property. */
export const maxTitleLength = 2000;

/** A text of at most `maxLength` code points; ends with an ellipsis if it was cut. */
export function truncated(text: string, maxLength = maxTitleLength): string {
  // A text has at most as many code points as code units.
  if (text.length <= maxLength) return text;
  let end = 0;
  let count = 0;
  for (const character of text) {
    count += 1;
    if (count > maxLength) return `${text.slice(0, end)}…`;
    if (count < maxLength) end += character.length;
  }
  return text;
}

/** Further aliases are ignored. */
const maxAliases = 100;

/** The title and the distinct aliases of a page or database, each in one line and not too long. */
export function namesOf(
  title: string,
  aliases: readonly string[],
): { readonly title: string; readonly aliases: readonly string[] } {
  const shortened = (text: string) => truncated(oneLine(text));
  const shown = shortened(title);
  const others = new Set(aliases.map(shortened));
  others.delete(shown);
  others.delete("");
  return { title: shown, aliases: [...others].slice(0, maxAliases) };
}

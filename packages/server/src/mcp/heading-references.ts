import { outlineOf } from "@clew/text";
import { fold } from "@clew/text/basics";
import { oneLine } from "../operations/page-names.ts";
import { unquoted } from "../rows/quotes.ts";

/*
 * How answers name headings, and how agents send these names back (AGT-3).
 */

/** A heading in an outline. */
export const headingName = (text: string): string => oneLine(text);

/** A heading in the line of a page. */
export const headingInLine = (text: string): string => oneLine(text, 15);

/** Returns whether a heading is the one that an answer or the page's Markdown shows: `## Moons`, `- Moons (offset=12)`, `§ Moons, offset 12`. */
export function headingShownAs(shown: string): (heading: string) => boolean {
  const bare = shown.trim().replace(/^-\s+/, "").replace(/^§\s+/, "");
  const unnumbered = bare.replace(/(?: \(offset=\d+\)|, offset \d+|(?<!\s)\s+#+)$/, "");
  // Markdown as plain text; a text without marks becomes a heading first.
  const plain = [unnumbered, `# ${unnumbered}`].flatMap((markdown) => outlineOf(markdown)[0]?.text ?? []);
  const forms = new Set([bare, unnumbered, unquoted(unnumbered), ...plain].map(fold));
  return (heading) =>
    [heading, headingName(heading), headingInLine(heading)].some((name) => forms.has(fold(name)));
}

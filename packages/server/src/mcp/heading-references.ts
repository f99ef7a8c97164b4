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

/** Whether a text is a heading as an answer or the page's Markdown shows it: `## Moons`, `- Moons (offset=12)`, `§ Moons, offset 12`. */
export function isShownAs(shown: string, heading: string): boolean {
  const bare = shown.trim().replace(/^-\s+/, "").replace(/^§\s+/, "");
  const unnumbered = bare.replace(/(?: \(offset=\d+\)|, offset \d+|\s+#+)$/, "");
  // Markdown as plain text; a text without marks becomes a heading first.
  const plain = [unnumbered, `# ${unnumbered}`].flatMap((markdown) => outlineOf(markdown)[0]?.text ?? []);
  const names = [heading, headingName(heading), headingInLine(heading)].map(fold);
  return [bare, unnumbered, unquoted(unnumbered), ...plain].some((text) => names.includes(fold(text)));
}

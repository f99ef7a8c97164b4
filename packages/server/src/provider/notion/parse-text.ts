import type { PageContent } from "../port.ts";
import type { Dialect } from "./dialect.ts";
import { at, requiredText } from "./json.ts";
import { withoutExpiringUrls } from "./lasting-url.ts";
import { proseLines } from "./markdown/lines.ts";
import { referencesIn } from "./markdown/references.ts";
import { withoutScriptLinks } from "./markdown/script-links.ts";
import { tagAt } from "./markdown/tag.ts";
import { type Unknown, unknownOf } from "./markdown/unknown.ts";

/*
 * All work on a page's text whose time grows with the text. It has no state and no I/O, so that a thread can do it, and
 * what goes in and comes out can be sent to one.
 */

/** A line of a text that stands for something that the text leaves out. */
export interface Gap {
  readonly number: number;
  readonly indent: string;
  readonly unknown: Unknown;
  /** The kind of block, in the provider's own words. */
  readonly alt: string;
}

/** A text as the provider answered it, with what it leaves out. */
export interface AnsweredText {
  readonly markdown: string;
  readonly gaps: readonly Gap[];
  /** False where something is left out that cannot be read. */
  readonly complete: boolean;
  /** The answer's other fields, as far as they can be read. */
  readonly rest: { readonly truncated: boolean | null; readonly unknown_block_ids: (string | null)[] };
}

/** More parts of a page than are ever asked for. */
const maxParts = 2000;

/** More blocks than any page leaves out. */
const maxGaps = 20_000;

/** The text of a gap, which takes the place of its line. */
export interface Fill {
  readonly gap: Gap;
  readonly text: string;
}

/** The tasks by name. */
export const textTasks = { answered, filled, content };

/** Reads the body of an answer of the page-as-Markdown endpoint. Throws `SyntaxError` or `UnreadableError`. */
function answered(body: string, dialect: Dialect): AnsweredText {
  const answer: unknown = JSON.parse(body);
  const markdown = requiredText(answer, "markdown");
  const truncated = at(answer, "truncated");
  const rest = {
    truncated: typeof truncated === "boolean" ? truncated : null,
    unknown_block_ids: idsAt(answer, "unknown_block_ids"),
  };
  return { markdown, ...gapsIn(markdown, dialect), rest };
}

/** The ids in a list, null for each that is none; one of those where there is something else than a list. */
function idsAt(answer: unknown, field: string): (string | null)[] {
  const given = at(answer, field) ?? [];
  if (!Array.isArray(given)) return [null];
  return given.slice(0, maxParts).map((id) => (typeof id === "string" ? id.slice(0, 64) : null));
}

function gapsIn(markdown: string, dialect: Dialect): Pick<AnsweredText, "gaps" | "complete"> {
  const gaps: Gap[] = [];
  let complete = true;
  for (const { number, indent, text } of proseLines(markdown)) {
    if (!text.startsWith("<unknown")) continue;
    const tag = tagAt(text, 0);
    const unknown = tag === null ? null : unknownOf(tag, dialect);
    if (unknown === null || gaps.length === maxGaps) complete = false;
    else gaps.push({ number, indent, unknown, alt: tag?.attributes.get("alt") || "unknown" });
  }
  return { gaps, complete };
}

/** A text with its gaps filled, and with further parts at its end. */
function filled({
  markdown,
  fills,
  parts,
}: {
  markdown: string;
  fills: readonly Fill[];
  parts: readonly string[];
}): string {
  const lines = markdown.split("\n");
  for (const { gap, text } of fills) lines[gap.number] = text.replaceAll(/^/gm, gap.indent);
  return [...lines, ...parts].join("\n");
}

/** A whole text as it is kept, with the references in it. */
function content(
  markdown: string,
  dialect: Dialect,
): Pick<PageContent, "markdown" | "references" | "mentioned" | "children"> {
  const kept = withoutScriptLinks(withoutExpiringUrls(markdown));
  return { markdown: kept, ...referencesIn(kept, dialect) };
}

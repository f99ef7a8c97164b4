import { type NodeId, parseNodeId } from "@clew/graph";
import type { PageContent } from "@clew/provider";
import { proseLines } from "@clew/text";
import { at, requiredText, UnreadableError } from "./json.ts";
import { tagAt, type Unknown, unknownOf } from "./markdown/parse.ts";
import { referencesIn } from "./markdown/references.ts";
import { withoutScriptLinks } from "./markdown/script-links.ts";
import { shownTitles, withTitles } from "./markdown/shown-titles.ts";
import { type Dialect, withoutExpiringUrls } from "./urls.ts";

/*
 * All work on a page's text whose time grows with the text. It has no state and no I/O, and its inputs and results can be
 * sent to a worker thread.
 */
export const textTasks = { answered, filled, content, references: referencesIn, shownTitles, retitled };

/** A task, as it can be sent to a worker thread. */
export interface TextOrder {
  readonly name: keyof typeof textTasks;
  readonly input: unknown;
  readonly demoUrl: string | null;
}

/** A value, or why the text cannot be read; null if the error's message may contain the text. */
export type TextOutcome = { readonly value: unknown } | { readonly failure: string | null };

export function runTextTask({ name, input, demoUrl }: TextOrder): TextOutcome {
  try {
    // `TextParser.parse` makes the order, and its signature matches the input to the name.
    const task = textTasks[name] as (input: unknown, dialect: Dialect) => unknown;
    return { value: task(input, { demoUrl: demoUrl === null ? null : new URL(demoUrl) }) };
  } catch (error) {
    return { failure: error instanceof UnreadableError ? error.message : null };
  }
}

/** A line that stands for something that the text leaves out. */
export interface Gap {
  /** The line's index in the text. */
  readonly number: number;
  readonly indent: string;
  readonly unknown: Unknown;
  /** The type of the block, in the provider's words. */
  readonly alt: string;
}

/** The text that replaces the line of a gap. */
export interface Fill {
  readonly gap: Gap;
  readonly text: string;
}

/** A text as the provider answered it. */
export interface AnsweredText {
  readonly markdown: string;
  readonly gaps: readonly Gap[];
  /** The ids of parts that the answer does not contain: too large, or not shared. */
  readonly missing: readonly NodeId[];
  /** False if a gap cannot be read, or the answer does not name what is missing. */
  readonly complete: boolean;
}

/** More than are ever fetched. */
const maxMissingParts = 2000;
const maxGaps = 20_000;

/** Reads an answer of the page-as-Markdown endpoint. Throws `SyntaxError` or `UnreadableError`. */
function answered(body: string, dialect: Dialect): AnsweredText {
  const answer: unknown = JSON.parse(body);
  const markdown = requiredText(answer, "markdown");
  const { gaps, complete } = gapsIn(markdown, dialect);
  const ids = at(answer, "unknown_block_ids") ?? [];
  const parts = Array.isArray(ids)
    ? ids.slice(0, maxMissingParts).map((id) => parseNodeId(typeof id === "string" ? id : ""))
    : [null];
  const missing = parts.filter((id) => id !== null);
  const truncated = at(answer, "truncated");
  const isNamed = truncated === false || (truncated === true && missing.length > 0);
  return { markdown, gaps, missing, complete: complete && isNamed && !parts.includes(null) };
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

/** A text with its gaps filled and further parts appended. */
function filled(input: { markdown: string; fills: readonly Fill[]; parts: readonly string[] }): string {
  const lines = input.markdown.split("\n");
  for (const { gap, text } of input.fills) lines[gap.number] = text.replaceAll(/^/gm, gap.indent);
  return [...lines, ...input.parts].join("\n");
}

/** A whole text as it is stored, with the references in it. */
function content(
  markdown: string,
  dialect: Dialect,
): Pick<PageContent, "markdown" | "references" | "mentioned" | "children" | "titles"> {
  const stored = withoutScriptLinks(withoutExpiringUrls(markdown));
  const titles = shownTitles(stored, dialect);
  return { markdown: stored, titles, ...referencesIn(stored, dialect) };
}

/** A stored text with these titles in place of those that it shows, and the references in it. */
function retitled(
  { markdown, titles }: { readonly markdown: string; readonly titles: ReadonlyMap<NodeId, string> },
  dialect: Dialect,
): Pick<PageContent, "markdown" | "references" | "children"> {
  const text = withTitles(markdown, titles, dialect);
  const { references, children } = referencesIn(text, dialect);
  return { markdown: text, references, children };
}

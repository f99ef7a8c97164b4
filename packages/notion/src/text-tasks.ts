import { type NodeId, parseNodeId } from "@clew/graph";
import {
  createTextParser,
  type TextLimits,
  type TextParser,
  tagAt,
  textTasksFor,
  type Unknown,
  unknownOf,
} from "@clew/provider-text";
import { proseLines } from "@clew/text";
import { at, requiredText } from "./json.ts";
import { addressesIn, type Dialect } from "./urls.ts";

/** All work on a text of Notion's whose time grows with the text. */
export const textTasks = {
  ...textTasksFor(addressesIn),
  answered,
  filled,
};

/** Works on texts of Notion's of any size. */
export type NotionTextParser = TextParser<typeof textTasks, Dialect>;

export function createNotionTextParser(limits: TextLimits = {}): NotionTextParser {
  return createTextParser(textTasks, new URL("./text-worker.ts", import.meta.url), limits);
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
  /** The ids of parts that the answer does not contain: too large, or not shared. Subpages are none. */
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
  const parts = Array.isArray(ids) ? ids.map((id) => parseNodeId(typeof id === "string" ? id : "")) : [null];
  const named = parts.filter((id) => id !== null);
  const truncated = at(answer, "truncated");
  const isNamed = truncated === false || (truncated === true && named.length > 0);
  const children = new Set<string>(
    gaps.flatMap(({ unknown }) => (unknown.kind === "child" ? unknown.id : [])),
  );
  const missing = named.filter((id) => !children.has(id));
  const isRead = complete && isNamed && !parts.includes(null) && missing.length <= maxMissingParts;
  return { markdown, gaps, missing: missing.slice(0, maxMissingParts), complete: isRead };
}

function gapsIn(markdown: string, dialect: Dialect): Pick<AnsweredText, "gaps" | "complete"> {
  const gaps: Gap[] = [];
  let complete = true;
  for (const { number, indent, text } of proseLines(markdown)) {
    if (!text.startsWith("<unknown")) continue;
    const tag = tagAt(text, 0);
    const unknown = tag === null ? null : unknownOf(tag, addressesIn(dialect));
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

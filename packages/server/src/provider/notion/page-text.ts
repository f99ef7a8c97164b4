import { type NodeId, parseNodeId } from "../../model/node-id.ts";
import { ProviderError } from "../error.ts";
import type { NotionApi } from "./api.ts";
import type { Dialect } from "./dialect.ts";
import { isTrueAt, listAt, textAt } from "./json.ts";
import { proseLines } from "./markdown/lines.ts";
import { tagAt } from "./markdown/tag.ts";
import { type Unknown, unknownOf } from "./markdown/unknown.ts";
import { lineOfBlock } from "./unsupported-block.ts";

/** A page's whole text; `complete` is false where a part that was shared could not be read. */
export interface PageText {
  readonly markdown: string;
  readonly complete: boolean;
}

/** Further calls that one page may cost. */
const maximumCalls = 500;

/** Nor is more asked for once a page has this many characters: nobody reads so much, and the memory must hold it. */
const maximumLength = 10_000_000;

/**
 * Reads a page's text in one call, and what that leaves out in further ones (SYNC-3): parts of a page that is too
 * large for one answer through the same endpoint, blocks that have no Markdown through the block endpoint.
 * https://developers.notion.com/reference/retrieve-page-markdown
 */
export async function pageText(api: NotionApi, pageId: NodeId, signal: AbortSignal): Promise<PageText> {
  const reading: Reading = { api, signal, asked: new Set(), length: 0, complete: true };
  const markdown = await textOf(pageId, reading);
  return { markdown, complete: reading.complete };
}

interface Reading {
  readonly api: NotionApi;
  readonly signal: AbortSignal;
  /** Blocks and pages asked for: a part that holds itself is not read for ever. */
  readonly asked: Set<string>;
  /** Characters so far. */
  length: number;
  complete: boolean;
}

async function textOf(id: string, reading: Reading): Promise<string> {
  reading.asked.add(id);
  const answer = await reading.api.call(reading.signal, ({ pages }) =>
    pages.retrieveMarkdown({ page_id: id }),
  );
  const markdown = textAt(answer, "markdown");
  if (markdown === null) throw new ProviderError("nonsense", "The provider's answer holds no text");
  reading.length += markdown.length;
  const missing = missingFrom(answer);
  if (isTrueAt(answer, "truncated") && missing.size === 0) reading.complete = false;

  const lines = markdown.split("\n");
  for (const { number, indent, unknown, alt } of gapsIn(markdown, reading.api.dialect)) {
    const isMissing = missing.delete(unknown.id);
    if (unknown.kind === "child") continue;
    if (!isMissing && saysNothing.has(alt)) continue;
    const text = isMissing ? await partOf(unknown.id, reading) : await lineOf(unknown.id, reading);
    if (text !== null) lines[number] = text.replaceAll(/^/gm, indent);
  }
  for (const id of missing) lines.push((await partOf(id, reading)) ?? "");
  return lines.join("\n");
}

/** The blocks that an answer says it does not hold: too many, or not shared. */
function missingFrom(answer: unknown): Set<string> {
  const ids = listAt(answer, "unknown_block_ids").map((id) => parseNodeId(textAt(id) ?? ""));
  return new Set(ids.filter((id) => id !== null));
}

interface Gap {
  readonly number: number;
  readonly indent: string;
  readonly unknown: Unknown;
  /** The kind of block, in the provider's own words. */
  readonly alt: string;
}

/** Kinds of blocks of which the block endpoint tells no more. */
const saysNothing = new Set(["unsupported", "ai_block", "button", "form", "breadcrumb", "table_of_contents"]);

/** The lines of a text that stand for what it leaves out. */
function gapsIn(markdown: string, dialect: Dialect): Gap[] {
  const gaps: Gap[] = [];
  for (const { number, indent, text } of proseLines(markdown)) {
    const tag = text.startsWith("<unknown") ? tagAt(text, 0) : null;
    const unknown = tag === null ? null : unknownOf(tag, dialect);
    if (unknown !== null) gaps.push({ number, indent, unknown, alt: tag?.attributes.get("alt") ?? "" });
  }
  return gaps;
}

/** A further part of a page; null where it is not shared, or cannot be read. */
async function partOf(id: string, reading: Reading): Promise<string | null> {
  if (reading.asked.has(id)) return null;
  if (isEnough(reading)) {
    reading.complete = false;
    return null;
  }
  try {
    return await textOf(id, reading);
  } catch (error) {
    if (!isAboutThisAlone(error)) throw error;
    if (error.code !== "not_found") reading.complete = false;
    return null;
  }
}

/** A block that has no Markdown, as a line; null where nothing can be said of it. */
async function lineOf(id: string, reading: Reading): Promise<string | null> {
  const { api, signal, asked } = reading;
  if (asked.has(id) || isEnough(reading)) return null;
  asked.add(id);
  try {
    return lineOfBlock(await api.call(signal, ({ blocks }) => blocks.retrieve({ block_id: id })));
  } catch (error) {
    if (!isAboutThisAlone(error)) throw error;
    return null;
  }
}

function isEnough({ asked, length }: Reading): boolean {
  return asked.size >= maximumCalls || length >= maximumLength;
}

/** Whether the provider works but does not give this one block. */
function isAboutThisAlone(error: unknown): error is ProviderError {
  return (
    error instanceof ProviderError && ["not_found", "invalid", "refused", "nonsense"].includes(error.code)
  );
}

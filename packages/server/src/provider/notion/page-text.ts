import { type NodeId, parseNodeId } from "@clew/graph";
import type { Unsupported } from "../../model/sync-report.ts";
import { type PageContent, ProviderError } from "../port.ts";
import type { NotionApi } from "./api.ts";
import { textAt } from "./json.ts";
import { answersOf, type Cursor, pageSize } from "./listing.ts";
import type { AnsweredText, Fill, Gap } from "./parse-text.ts";
import { lineOfBlock } from "./unsupported-block.ts";
import { UnsupportedTypeError } from "./unsupported-type.ts";

/** A page's whole text, and what it lacks. */
export type PageText = Pick<PageContent, "markdown" | "complete" | "unsupported" | "notShared">;

/** Further calls that one page may cost: six minutes of a grant's rate limit. */
const maximumCalls = 1000;

/** Nor is more asked for once a page has this many characters: nobody reads so much, and the memory must hold it. */
const maximumLength = 10_000_000;

/**
 * Reads a page's text in one call, and what that leaves out in further ones (SYNC-3): parts of a page that is too
 * large for one answer through the same endpoint, blocks that have no Markdown through the block endpoint.
 * https://developers.notion.com/reference/retrieve-page-markdown
 */
export async function pageText(api: NotionApi, pageId: NodeId, signal: AbortSignal): Promise<PageText> {
  const reading: Reading = {
    api,
    signal,
    asked: new Set(),
    calls: 0,
    length: 0,
    complete: true,
    unsupported: [],
    notShared: 0,
  };
  const markdown = await textOf(pageId, reading);
  const { complete, unsupported, notShared } = reading;
  return { markdown, complete, unsupported, notShared };
}

interface Reading {
  readonly api: NotionApi;
  readonly signal: AbortSignal;
  /** Blocks and pages asked for: a part that holds itself is not read for ever. */
  readonly asked: Set<string>;
  calls: number;
  /** Characters so far. */
  length: number;
  complete: boolean;
  readonly unsupported: Unsupported[];
  notShared: number;
}

async function textOf(id: string, reading: Reading): Promise<string> {
  reading.asked.add(id);
  reading.calls += 1;
  const { markdown, gaps, complete, rest } = await reading.api.pageMarkdown(id, reading.signal);
  reading.length += markdown.length;
  if (!complete) reading.complete = false;
  const missing = missingFrom(rest, reading);

  const fills: Fill[] = [];
  const parts: string[] = [];
  const blocks = await blocksBelow(
    id,
    gaps.filter(isAskedFor).map(({ unknown }) => unknown.id),
    reading,
  );
  for (const gap of gaps) {
    const { unknown, alt } = gap;
    const isMissing = missing.delete(unknown.id);
    if (unknown.kind === "child") continue;
    const text = isMissing
      ? await partOf(unknown.id, reading)
      : await lineOf(unknown.id, alt, blocks, reading);
    if (text !== null) fills.push({ gap, text });
  }
  for (const id of missing) parts.push((await partOf(id, reading)) ?? "");
  return filledText(markdown, fills, parts, reading);
}

/** The text with what it left out. */
async function filledText(
  markdown: string,
  fills: readonly Fill[],
  parts: readonly string[],
  { api, signal }: Reading,
): Promise<string> {
  if (fills.length === 0 && parts.length === 0) return markdown;
  const added = [...fills.map(({ text }) => text), ...parts].reduce((sum, text) => sum + text.length, 0);
  const length = markdown.length + added;
  return api.texts.parse("filled", { markdown, fills, parts }, { length, dialect: api.dialect, signal });
}

/** The blocks that an answer says it does not hold: too many, or not shared. */
function missingFrom({ truncated, unknown_block_ids }: AnsweredText["rest"], reading: Reading): Set<string> {
  const ids = unknown_block_ids.map((id) => parseNodeId(id ?? ""));
  const missing = new Set(ids.filter((id) => id !== null));
  // What is said to be missing must be named, so that it can be asked for.
  const isNamed = truncated === false || (truncated === true && missing.size > 0);
  if (!isNamed || ids.includes(null)) reading.complete = false;
  return missing;
}

/** Kinds of blocks of which the block endpoint tells no more, since they have no words or are not shown at all. */
const wordless = new Set(["button", "breadcrumb", "table_of_contents"]);
const unshown = new Set(["unsupported", "ai_block", "form"]);

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
    if (error.code === "not_found") reading.notShared += 1;
    else reading.complete = false;
    return null;
  }
}

/** A block that has no Markdown, as a line; null where nothing can be said of it. */
async function lineOf(
  id: string,
  alt: string,
  blocks: ReadonlyMap<string, unknown>,
  reading: Reading,
): Promise<string | null> {
  const { asked, unsupported } = reading;
  if (asked.has(id) || wordless.has(alt)) return null;
  if (unshown.has(alt)) {
    unsupported.push({ kind: "block", type: alt });
    return null;
  }
  if (!blocks.has(id) && isEnough(reading)) {
    reading.complete = false;
    return null;
  }
  asked.add(id);
  try {
    return lineOfBlock(
      blocks.get(id) ?? (await call(reading, (client) => client.blocks.retrieve({ block_id: id }))),
    );
  } catch (error) {
    if (error instanceof UnsupportedTypeError) unsupported.push({ kind: "block", type: error.type });
    else if (!isAboutThisAlone(error)) throw error;
    else if (error.code === "invalid") unsupported.push({ kind: "block", type: alt });
    else if (error.code === "not_found") reading.notShared += 1;
    else reading.complete = false;
    return null;
  }
}

/** So few blocks are retrieved one by one. */
const fewBlocks = 10;

/**
 * Blocks that are directly below a page or a part of one, by id: where many are wanted, lists of a hundred give them. At
 * most a tenth as many lists are asked for as blocks, which may all be deeper; what no list gives is retrieved by itself.
 */
async function blocksBelow(
  id: string,
  wanted: readonly string[],
  reading: Reading,
): Promise<ReadonlyMap<string, unknown>> {
  const found = new Map<string, unknown>();
  const left = new Set(wanted);
  let lists = 0;
  const ask = (cursor: Cursor) => {
    lists += 1;
    return call(reading, ({ blocks }) =>
      blocks.children.list({ block_id: id, page_size: pageSize, ...cursor }),
    );
  };
  if (left.size < fewBlocks) return found;
  try {
    for await (const { results } of answersOf(ask)) {
      for (const block of results) {
        const blockId = parseNodeId(textAt(block, "id") ?? "");
        if (blockId !== null && left.delete(blockId)) found.set(blockId, block);
      }
      if (left.size === 0 || lists >= wanted.length / 10 || isEnough(reading)) break;
    }
  } catch (error) {
    if (!isAboutThisAlone(error)) throw error;
  }
  return found;
}

function isAskedFor({ unknown, alt }: Gap): boolean {
  return unknown.kind === "block" && !wordless.has(alt) && !unshown.has(alt);
}

function call(reading: Reading, work: Parameters<NotionApi["call"]>[1]): Promise<unknown> {
  reading.calls += 1;
  return reading.api.call(reading.signal, work);
}

function isEnough({ calls, length }: Reading): boolean {
  return calls >= maximumCalls || length >= maximumLength;
}

/** Whether the provider works but does not give this one block. */
function isAboutThisAlone(error: unknown): error is ProviderError {
  return (
    error instanceof ProviderError && ["not_found", "invalid", "refused", "nonsense"].includes(error.code)
  );
}

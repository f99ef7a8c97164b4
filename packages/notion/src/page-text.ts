import { type NodeId, parseNodeId } from "@clew/graph";
import type { Unsupported } from "@clew/provider";
import { type PageContent, ProviderError } from "@clew/provider";
import type { NotionApi } from "./api.ts";
import { at, textAt, UnsupportedTypeError } from "./json.ts";
import { lineOfBlock, lineOfInnerBlock, numberOf } from "./markdown/write.ts";
import { answersOf, type Paging } from "./pagination.ts";
import type { Fill, Gap } from "./text-tasks.ts";
import { type BlockReading, blocks as blockReadings, readingOf } from "./vocabulary.ts";

/** Calls that one page may cost: six minutes of a grant's rate limit. */
const maxCalls = 1000;

/** No more is fetched once a page has this many characters, which bounds memory. */
const maxChars = 10_000_000;

/** The most blocks below one another. */
const maxDepth = 16;

/** The number of blocks from which on a list is worth it; fewer are retrieved one by one. */
const minBlocksForList = 10;

/**
 * Fetches a page's text in one call, and what that leaves out in further ones (SYNC-3): parts of a large page through the
 * same endpoint, blocks without Markdown through the block endpoint.
 * https://developers.notion.com/reference/retrieve-page-markdown
 */
export async function pageText(api: NotionApi, pageId: NodeId): Promise<PageContent> {
  const fetcher = new TextFetcher(api);
  const markdown = await fetcher.textOf(pageId);
  const { complete, unsupported, notShared } = fetcher;
  const { texts, dialect, signal } = api;
  const content = await texts.parse("content", markdown, { length: markdown.length, dialect, signal });
  return { ...content, complete, unsupported, notShared };
}

class TextFetcher {
  complete = true;
  readonly unsupported: Unsupported[] = [];
  notShared = 0;
  readonly #api: NotionApi;
  /** Pages and blocks fetched, so that a part that contains itself ends. */
  readonly #fetched = new Set<string>();
  #calls = 0;
  #chars = 0;

  constructor(api: NotionApi) {
    this.#api = api;
  }

  async textOf(id: string): Promise<string> {
    this.#fetched.add(id);
    this.#calls += 1;
    const { markdown, gaps, complete, ...answer } = await this.#api.pageMarkdown(id);
    this.#chars += markdown.length;
    if (!complete) this.complete = false;
    const missing = new Set<string>(answer.missing);
    const blocks = await this.#listBlocks(id, gaps.filter(isFetched));
    const fills: Fill[] = [];
    for (const gap of gaps) {
      const { id: gapId, kind } = gap.unknown;
      const isPart = missing.delete(gapId);
      if (kind === "child") continue;
      const text = isPart ? await this.#partOf(gapId) : await this.#lineOf(gap, blocks.get(gapId));
      if (text !== null) fills.push({ gap, text });
    }
    const parts: string[] = [];
    for (const part of missing) parts.push((await this.#partOf(part)) ?? "");
    if (fills.length === 0 && parts.length === 0) return markdown;

    const added = [...fills.map(({ text }) => text), ...parts];
    const length = added.reduce((sum, text) => sum + text.length, markdown.length);
    const { texts, dialect, signal } = this.#api;
    return texts.parse("filled", { markdown, fills, parts }, { length, dialect, signal });
  }

  /** A further part of a page; null if it is not shared or cannot be read. */
  async #partOf(id: string): Promise<string | null> {
    if (this.#fetched.has(id)) return null;
    if (this.#isOverLimit()) return this.#addMissing();
    try {
      return await this.textOf(id);
    } catch (error) {
      return this.#addMissing(error);
    }
  }

  /** A block without Markdown as a line; null if it has no text. `listed` is the block, if a list had it. */
  async #lineOf({ unknown: { id }, alt }: Gap, listed: unknown): Promise<string | null> {
    const text = readingOf<BlockReading>(blockReadings, alt)?.text;
    if (this.#fetched.has(id) || text === "empty") return null;
    if (text === "unsupported") return this.#addUnsupported(alt);
    if (listed === undefined && this.#isOverLimit()) return this.#addMissing();
    this.#fetched.add(id);
    try {
      const block = listed ?? (await this.#call(({ blocks }) => blocks.retrieve({ block_id: id })));
      const type = textAt(block, "type") ?? "";
      const hasHidden = readingOf<BlockReading>(blockReadings, type)?.hasHiddenChildren === true;
      return hasHidden ? await this.#linesOf(block, lineOfBlock) : lineOfBlock(block);
    } catch (error) {
      if (error instanceof UnsupportedTypeError) return this.#addUnsupported(error.type);
      const isInvalid = error instanceof ProviderError && error.code === "invalid";
      return isInvalid ? this.#addUnsupported(alt) : this.#addMissing(error);
    }
  }

  /**
   * A block, and the blocks below it, each as lines that are indented by its depth; null if they have no text. `write` writes
   * the block itself.
   */
  async #linesOf(
    block: unknown,
    write: (block: unknown) => string | null,
    depth = 0,
  ): Promise<string | null> {
    const parent = parentIdOf(block);
    let own: string | null = null;
    try {
      own = write(block);
    } catch (error) {
      if (!(error instanceof UnsupportedTypeError)) throw error;
      // A block that only contains others, such as a column, needs no line.
      if (parent === null) this.#addUnsupported(error.type);
    }
    if (parent !== null && depth === maxDepth) this.complete = false;
    const lines = own === null ? [] : [own];
    const indent = own === null ? "" : "\t";
    const parts = depth === maxDepth ? [] : partsOf(block, parent);
    for (const part of parts)
      for (const text of await this.#linesBelow(part, depth)) lines.push(indented(text, indent));
    if (lines.length === 0) return null;
    return (textAt(block, "type") === "table" ? inTable(block, lines) : lines).join("\n");
  }

  /** The blocks directly below one, with those below them; a transcript is between its tags. */
  async #linesBelow({ id, isTranscript }: Part, depth: number): Promise<readonly string[]> {
    const lines: string[] = [];
    let number = 0;
    for await (const child of this.#childrenOf(id)) {
      number = numberOf(child, number);
      const own = number;
      const text = await this.#linesOf(child, (block) => lineOfInnerBlock(block, own), depth + 1);
      if (text !== null) lines.push(text);
    }
    if (!isTranscript || lines.length === 0) return lines;
    return ["<transcript>", ...lines.map((text) => indented(text, "\t")), "</transcript>"];
  }

  /** The blocks directly below one, each once. The page is incomplete if they are too many or cannot be listed. */
  async *#childrenOf(id: NodeId): AsyncGenerator<unknown> {
    const ask = (paging: Paging) =>
      this.#call(({ blocks }) => blocks.children.list({ block_id: id, ...paging }));
    try {
      for await (const { results } of answersOf(ask)) {
        for (const child of results) {
          const childId = textAt(child, "id") ?? "";
          if (this.#fetched.has(childId)) continue;
          this.#fetched.add(childId);
          yield child;
        }
        if (!this.#isOverLimit()) continue;
        this.#addMissing();
        return;
      }
    } catch (error) {
      this.#addMissing(error);
    }
  }

  /** Counts a part that was not fetched, or failed for this reason alone. Throws any other error. */
  #addMissing(error?: unknown): null {
    if (error !== undefined && !isAboutOneBlock(error)) throw error;
    if (error?.code === "not_found") this.notShared += 1;
    else this.complete = false;
    return null;
  }

  #addUnsupported(type: string): null {
    this.unsupported.push({ kind: "block", type });
    return null;
  }

  /**
   * Blocks directly below a page or a part of one, by id. If many are wanted, lists of a hundred give them; at most a tenth
   * as many lists as blocks are fetched, because all of them may be nested deeper.
   */
  async #listBlocks(id: string, gaps: readonly Gap[]): Promise<ReadonlyMap<string, unknown>> {
    const found = new Map<string, unknown>();
    const wanted = new Set(gaps.map(({ unknown }) => unknown.id));
    if (wanted.size < minBlocksForList) return found;
    let lists = 0;
    const ask = (paging: Paging) => {
      lists += 1;
      return this.#call(({ blocks }) => blocks.children.list({ block_id: id, ...paging }));
    };
    try {
      for await (const { results } of answersOf(ask)) {
        for (const block of results) {
          const blockId = parseNodeId(textAt(block, "id") ?? "");
          if (blockId !== null && wanted.delete(blockId)) found.set(blockId, block);
        }
        if (wanted.size === 0 || lists >= gaps.length / 10 || this.#isOverLimit()) break;
      }
    } catch (error) {
      if (!isAboutOneBlock(error)) throw error;
    }
    return found;
  }

  #call(work: Parameters<NotionApi["call"]>[0]): Promise<unknown> {
    this.#calls += 1;
    return this.#api.call(work);
  }

  #isOverLimit(): boolean {
    return this.#calls >= maxCalls || this.#chars >= maxChars;
  }
}

/** Whether a gap's block is fetched from the block endpoint. */
function isFetched({ unknown, alt }: Gap): boolean {
  const text = readingOf<BlockReading>(blockReadings, alt)?.text;
  return unknown.kind === "block" && text !== "empty" && text !== "unsupported";
}

/** Whether the provider works but does not give this one block. */
function isAboutOneBlock(error: unknown): error is ProviderError {
  return (
    error instanceof ProviderError && ["not_found", "invalid", "refused", "malformed"].includes(error.code)
  );
}

/** The rows of a table between its tags. */
function inTable(table: unknown, rows: readonly string[]): readonly string[] {
  const hasHeader = at(table, "table", "has_column_header") === true;
  return [hasHeader ? '<table header-row="true">' : "<table>", ...rows, "</table>"];
}

const indented = (text: string, indent: string) => text.replaceAll(/^/gm, indent);

/** A block with others below it that belong to a text. */
interface Part {
  readonly id: NodeId;
  readonly isTranscript?: true;
}

/** The parts below a block: of a meeting its summary, its notes and what was said, of any other its children. */
function partsOf(block: unknown, parent: NodeId | null): readonly Part[] {
  const type = textAt(block, "type") ?? "";
  if (type !== "meeting_notes" && type !== "transcription") return parent === null ? [] : [{ id: parent }];
  const idOf = (part: string) => parseNodeId(textAt(block, type, "children", `${part}_block_id`) ?? "");
  const [summary, notes, transcript] = [idOf("summary"), idOf("notes"), idOf("transcript")];
  const parts: Part[] = [];
  if (summary !== null) parts.push({ id: summary });
  if (notes !== null) parts.push({ id: notes });
  if (transcript !== null) parts.push({ id: transcript, isTranscript: true });
  return parts;
}

/** The id of a block with others below it that are no page of their own; null for any other. */
function parentIdOf(block: unknown): NodeId | null {
  const isPage = readingOf<BlockReading>(blockReadings, textAt(block, "type") ?? "")?.text === "child";
  return at(block, "has_children") === true && !isPage ? parseNodeId(textAt(block, "id") ?? "") : null;
}

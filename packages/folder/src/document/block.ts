import type { LinkFault } from "../links/resolve-link.ts";
import { blockIdOf } from "../workspace/ids.ts";
import type { PageBounds } from "./bounds.ts";
import { type Span, trimSpans } from "./span.ts";

interface Parent {
  readonly children: readonly Block[];
}

interface Textual extends Parent {
  readonly text: readonly Span[];
}

/** A block of a page, with Notion's types (https://developers.notion.com/reference/block). */
export type Block =
  | ({
      readonly type: "paragraph" | "bulleted_list_item" | "quote" | "toggle";
    } & Textual)
  | ({ readonly type: "numbered_list_item"; readonly number: number } & Textual)
  | ({ readonly type: "heading"; readonly level: 1 | 2 | 3 | 4 } & Textual)
  | ({ readonly type: "to_do"; readonly checked: boolean; readonly number: number | null } & Textual)
  | ({ readonly type: "callout"; readonly icon: string } & Textual)
  | ({ readonly type: "code"; readonly language: string; readonly code: string } & Parent)
  | ({ readonly type: "equation"; readonly expression: string } & Parent)
  | ({ readonly type: "divider" | "unsupported" } & Parent)
  | ({ readonly type: "image"; readonly url: string; readonly caption: string } & Parent)
  | {
      readonly type: "table";
      readonly width: number;
      readonly hasHeader: boolean;
      readonly children: readonly TableRow[];
    }
  | TableRow
  | ({ readonly type: "child"; readonly id: string } & Parent);

/** A row of a table. */
interface TableRow extends Parent {
  readonly type: "table_row";
  readonly cells: readonly (readonly Span[])[];
}

/** The text of a page as blocks, without those of its child pages. */
export interface Document {
  readonly blocks: readonly Block[];
  readonly unresolved: readonly UnresolvedLink[];
}

/** A link into the workspace whose target does not exist. */
export interface UnresolvedLink {
  /** As it was written. */
  readonly target: string;
  readonly reason: LinkFault;
}

/** A paragraph, or nothing if the text is empty. */
export function textBlocks(spans: readonly Span[]): Block[] {
  const text = trimSpans(spans);
  return text.length === 0 ? [] : [{ type: "paragraph", text, children: [] }];
}

const levels = [1, 2, 3, 4] as const;

/** A heading. Notion has four levels. */
export function headingBlock(depth: number, spans: readonly Span[]): Block {
  const level = levels.find((each) => each >= depth) ?? 4;
  return { type: "heading", level, text: trimSpans(spans), children: [] };
}

/** Splits blocks into the text of a parent block, which is their first paragraph, and its children. */
export function textAndChildren(blocks: readonly Block[]): {
  text: readonly Span[];
  children: readonly Block[];
} {
  const [first, ...rest] = blocks;
  if (first?.type !== "paragraph") return { text: [], children: blocks };
  return { text: first.text, children: [...first.children, ...rest] };
}

/** A table from rows that may differ in length, at least `minWidth` wide. Rows beyond the page's bounds are left out. */
export function tableOf(
  rows: readonly (readonly Span[][])[],
  hasHeader: boolean,
  bounds: PageBounds,
  minWidth = 1,
): Block {
  const width = rows.reduce((most, row) => Math.max(most, row.length), minWidth);
  const children = rows.slice(0, bounds.rowsThatFit(rows.length, width)).map((row): TableRow => {
    const missing = Array.from({ length: width - row.length }, () => []);
    return { type: "table_row", cells: [...row, ...missing], children: [] };
  });
  return { type: "table", width, hasHeader, children };
}

/** A block with its position in a page, which determines its id. */
export interface PlacedBlock {
  readonly id: string;
  readonly block: Block;
  /** Null at the top level of the page. */
  readonly parent: PlacedBlock | null;
  readonly children: readonly PlacedBlock[];
}

/** Gives the blocks of a page, or of a part `above` which tells it from others, their ids. Child pages and databases keep their own. */
export function placeBlocks(pageId: string, blocks: readonly Block[], above = ""): PlacedBlock[] {
  return place(pageId, blocks, null, above);
}

function place(
  pageId: string,
  blocks: readonly Block[],
  parent: PlacedBlock | null,
  above: string,
): PlacedBlock[] {
  return blocks.map((block, index) => new Place(pageId, block, parent, `${above}${index}`));
}

/** A block at its place. Few are asked for their ids, which are digests. */
class Place implements PlacedBlock {
  readonly block: Block;
  readonly parent: PlacedBlock | null;
  readonly children: readonly PlacedBlock[];
  readonly #pageId: string;
  readonly #position: string;

  constructor(pageId: string, block: Block, parent: PlacedBlock | null, position: string) {
    this.block = block;
    this.parent = parent;
    this.#pageId = pageId;
    this.#position = position;
    this.children = place(pageId, block.children, this, `${position}.`);
  }

  get id(): string {
    return this.block.type === "child" ? this.block.id : blockIdOf(this.#pageId, this.#position);
  }
}

/** Indexes blocks and their descendants by id. */
export function indexBlocks(blocks: readonly PlacedBlock[]): ReadonlyMap<string, PlacedBlock> {
  const index = new Map<string, PlacedBlock>();
  const pending = [...blocks];
  for (let block = pending.pop(); block !== undefined; block = pending.pop()) {
    index.set(block.id, block);
    pending.push(...block.children);
  }
  return index;
}

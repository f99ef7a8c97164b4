import { blockIdOf } from "../workspace/ids.ts";
import type { Block } from "./block.ts";

/** A block in its place in a page, from which it has its id. */
export interface PlacedBlock {
  readonly id: string;
  readonly block: Block;
  /** Null directly below the page. */
  readonly parent: PlacedBlock | null;
  readonly children: readonly PlacedBlock[];
}

/** Gives the blocks of a page their ids: those of child pages and databases are theirs already. */
export function placeBlocks(pageId: string, blocks: readonly Block[]): PlacedBlock[] {
  return place(pageId, blocks, null, "");
}

function place(
  pageId: string,
  blocks: readonly Block[],
  parent: PlacedBlock | null,
  above: string,
): PlacedBlock[] {
  return blocks.map((block, index) => {
    const position = `${above}${index}`;
    const children: PlacedBlock[] = [];
    const id = block.type === "child" ? block.id : blockIdOf(pageId, position);
    const placed: PlacedBlock = { id, block, parent, children };
    children.push(...place(pageId, block.children, placed, `${position}.`));
    return placed;
  });
}

/** Blocks and all below them, by their ids. */
export function indexBlocks(blocks: readonly PlacedBlock[]): ReadonlyMap<string, PlacedBlock> {
  const index = new Map<string, PlacedBlock>();
  const pending = [...blocks];
  for (let block = pending.pop(); block !== undefined; block = pending.pop()) {
    index.set(block.id, block);
    pending.push(...block.children);
  }
  return index;
}

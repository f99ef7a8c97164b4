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

/** The block of this id, among these and below them. */
export function findBlock(blocks: readonly PlacedBlock[], id: string): PlacedBlock | null {
  for (const block of blocks) {
    const found = block.id === id ? block : findBlock(block.children, id);
    if (found !== null) return found;
  }
  return null;
}

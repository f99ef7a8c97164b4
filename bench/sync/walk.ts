import type { TestStandIn } from "@clew/stand-in/testing";

type Blocks = ReturnType<ReturnType<TestStandIn["workspace"]>["blocks"]>;

/** Maximum number of blocks in one response. */
const pageSize = 100;

/** The calls that read a workspace block by block: one list of children for each page, and for each block with children. */
export function callsOfWalk(workspace: ReturnType<TestStandIn["workspace"]>): number {
  const callsBelow = (blocks: Blocks): number =>
    blocks
      .filter(({ block, children }) => block.type !== "child" && children.length > 0)
      .reduce((sum, { children }) => sum + Math.ceil(children.length / pageSize) + callsBelow(children), 0);
  return workspace.entries
    .filter(({ kind }) => kind === "page")
    .map((page) => workspace.blocks(page))
    .reduce((sum, blocks) => sum + Math.max(1, Math.ceil(blocks.length / pageSize)) + callsBelow(blocks), 0);
}

import type { Block } from "@clew/text-index";

/** Another process removed the connection, or the whole index, while a segment was written. */
export const segmentRemoved = (segment: number, connectionId: number) =>
  `segment ${segment} of connection ${connectionId} was removed while it was written`;

/** Bytes of blocks that one transaction writes. */
const transactionBytes = 4 * 1024 * 1024;

/** The blocks that each transaction writes, with the number of the first of their rows of positions in the segment. */
export async function* transactionsOf(
  blocks: Iterable<Block> | AsyncIterable<Block>,
): AsyncGenerator<{ readonly blocks: readonly Block[]; readonly firstRow: number }> {
  let pending: Block[] = [];
  let bytes = 0;
  let rows = 0;
  let firstRow = 0;
  for await (const block of blocks) {
    pending.push(block);
    rows += block.rows.length;
    bytes += block.rows.reduce((sum, row) => sum + row.length, block.postings.length);
    if (bytes < transactionBytes) continue;
    yield { blocks: pending, firstRow };
    pending = [];
    bytes = 0;
    firstRow = rows;
  }
  if (pending.length > 0) yield { blocks: pending, firstRow };
}

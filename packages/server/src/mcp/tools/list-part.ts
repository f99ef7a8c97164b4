import { toolLimits } from "@clew/contract";

interface ListPage {
  readonly items: readonly unknown[];
  readonly next_cursor: string | null;
}

/** The number of items that are skipped at a time. */
const step = 200;

/** The page of a list with at most `limit` items after the first `skip`. `read` reads pages one after the other. */
export async function readPart<Page extends ListPage>(
  { skip = 0, limit }: { readonly skip?: number | undefined; readonly limit: number },
  read: (page: { limit: number; cursor?: string }) => Promise<Page>,
): Promise<Page> {
  let cursor: string | undefined;
  for (let left = Math.min(skip, toolLimits.skip); left > 0; ) {
    const page = await read({ limit: Math.min(left, step), ...(cursor !== undefined && { cursor }) });
    if (page.next_cursor === null) return { ...page, items: [] };
    left -= page.items.length;
    cursor = page.next_cursor;
  }
  return read({ limit, ...(cursor !== undefined && { cursor }) });
}

import type { Entry } from "../workspace/entry.ts";
import { bare } from "../workspace/ids.ts";

const site = "https://www.notion.so";

/**
 * A page's or database's address, in the form that the provider's addresses have: programs find the id in it. Nothing
 * is served there.
 */
export function addressOf({ id, kind, title }: Entry): string {
  const slug = title.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "");
  return kind === "page" && slug !== "" ? `${site}/${slug}-${bare(id)}` : addressOfId(id);
}

/** The address without the title, as links to it have it: a title is not told to those who may not see the page. */
export function addressOfId(id: string): string {
  return `${site}/${bare(id)}`;
}

/** The address of a block in its page. */
export function addressOfBlock(pageId: string, blockId: string): string {
  return `${addressOfId(pageId)}#${bare(blockId)}`;
}

import type { Entry } from "../workspace/entry.ts";
import { bare } from "../workspace/ids.ts";

/** Where pages, databases and blocks can be opened, as answers of the API name the places. */
export interface Addresses {
  /** A page or database, as its object gives it. */
  of(entry: Entry): string;
  /** The same as links in texts have it: without the title, which is not told to those who may not see the page. */
  ofId(id: string): string;
  /** A block in its page. */
  ofBlock(pageId: string, blockId: string): string;
}

const notion = "https://www.notion.so";

/** Addresses in the form that Notion's have. Nothing is served there; programs find the id in them. */
export const notionAddresses: Addresses = {
  of({ id, kind, title }) {
    const slug = title.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "");
    return kind === "page" && slug !== "" ? `${notion}/${slug}-${bare(id)}` : notionAddresses.ofId(id);
  },
  ofId: (id) => `${notion}/${bare(id)}`,
  ofBlock: (pageId, blockId) => `${notionAddresses.ofId(pageId)}#${bare(blockId)}`,
};

/** Addresses of the page views below `siteUrl`, which has no slash at its end. */
export function siteAddresses(siteUrl: string): Addresses {
  const ofId = (id: string) => `${siteUrl}/pages/${id}`;
  return { of: ({ id }) => ofId(id), ofId, ofBlock: (pageId, blockId) => `${ofId(pageId)}#${bare(blockId)}` };
}

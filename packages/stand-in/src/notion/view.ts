import type { Entry } from "../workspace/entry.ts";
import { bare } from "../workspace/ids.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** A workspace as one grant sees it: what lies below the pages that a person shared, and nothing else. */
export interface View {
  readonly workspace: Workspace;
  readonly entries: readonly Entry[];
  readonly addresses: Addresses;
  /** Null for what is not there, and for what was not shared alike. */
  entry(id: string): Entry | null;
  /** What a mention shows: the title, or `Untitled` where the page was not shared. */
  titleOf(id: string): string;
}

/** Stands among shared ids for all pages, those that are made later too. */
export const everything = "everything";

/** Looks at a workspace through a grant of some of its entries. */
export function createView(workspace: Workspace, sharedIds: ReadonlySet<string>, addresses: Addresses): View {
  const visible = new Set<Entry>();
  const seesAll = sharedIds.has(everything);
  for (const one of workspace.entries) {
    if (seesAll || sharedIds.has(one.id) || (one.parent !== null && visible.has(one.parent)))
      visible.add(one);
  }
  const entry = (id: string) => {
    const found = workspace.entry(id);
    return found !== null && visible.has(found) ? found : null;
  };
  return {
    workspace,
    entries: [...visible],
    addresses,
    entry,
    titleOf: (id) => entry(id)?.title ?? "Untitled",
  };
}

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

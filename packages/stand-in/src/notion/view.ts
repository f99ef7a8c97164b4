import { bare, type Entry, type Addresses as LinkAddresses, type Workspace } from "@clew/folder";

/** The part of a workspace that a grant shares. */
export interface View {
  readonly workspace: Workspace;
  readonly entries: readonly Entry[];
  readonly addresses: Addresses;
  /** Null if it does not exist or is not shared. */
  entry(id: string): Entry | null;
  /** The title that a mention shows; `Untitled` if the page is not shared. */
  titleOf(id: string): string;
}

/** In a list of shared ids: all pages, including those added later. */
export const everything = "everything";

/** The part of a workspace below the shared pages and databases. */
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

/** The addresses of pages, databases and blocks in responses. */
export interface Addresses extends LinkAddresses {
  /** The address of a page or database in its own object. */
  of(entry: Entry): string;
}

const notion = "https://www.notion.so";

/** Addresses in Notion's form. They open nothing; programs read the id in them. */
export const notionAddresses: Addresses = {
  of({ id, kind, title }) {
    const slug = title.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "");
    return kind === "page" && slug !== "" ? `${notion}/${slug}-${bare(id)}` : notionAddresses.ofId(id);
  },
  ofId: (id) => `${notion}/${bare(id)}`,
  ofBlock: (pageId, blockId) => `${notionAddresses.ofId(pageId)}#${bare(blockId)}`,
};

/** Addresses of the page views below `siteUrl`, which has no trailing slash. */
export function siteAddresses(siteUrl: string): Addresses {
  const ofId = (id: string) => `${siteUrl}/pages/${id}`;
  return { of: ({ id }) => ofId(id), ofId, ofBlock: (pageId, blockId) => `${ofId(pageId)}#${bare(blockId)}` };
}

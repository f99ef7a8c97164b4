import type { Entry } from "../workspace/entry.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Addresses } from "./urls.ts";

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

import type { Entry } from "../workspace/entry.ts";
import { rootOf } from "../workspace/entry.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** A workspace as one grant sees it: what lies below the pages that a person shared, and nothing else. */
export interface View {
  readonly workspace: Workspace;
  readonly entries: readonly Entry[];
  /** Null for what is not there, and for what was not shared alike. */
  entry(id: string): Entry | null;
  /** What a mention shows: the title, or `Untitled` where the page was not shared. */
  titleOf(id: string): string;
}

/** Looks at a workspace through a grant of some of the entries at its top. */
export function createView(workspace: Workspace, sharedIds: ReadonlySet<string>): View {
  const entry = (id: string) => {
    const found = workspace.entry(id);
    return found !== null && sharedIds.has(rootOf(found).id) ? found : null;
  };
  return {
    workspace,
    entries: workspace.entries.filter((one) => sharedIds.has(rootOf(one).id)),
    entry,
    titleOf: (id) => entry(id)?.title ?? "Untitled",
  };
}

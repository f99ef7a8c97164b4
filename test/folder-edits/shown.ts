import { type Addresses, enhancedMarkdown, type Workspace } from "@clew/folder";

/** All that a sync takes of a page or database, but for times. */
export interface Shown {
  readonly path: string;
  readonly of: string;
  readonly title: string;
  readonly parent: string | null;
  readonly markdown: string;
  readonly links: readonly string[];
  readonly properties: string;
  /** The digest of the text, by which a test knows it again. */
  readonly text: string | null;
}

/** Each page and database of a workspace, by its id. Texts name others by `nameOf`. */
export function shownIn(
  workspace: Workspace,
  nameOf: (id: string) => string = (id) => workspace.entry(id)?.path ?? "nothing",
): Map<string, Shown> {
  const addresses: Addresses = { ofId: nameOf, ofBlock: (pageId) => nameOf(pageId) };
  const view = { addresses, entry: (id: string) => workspace.entry(id), titleOf: () => "" };
  return new Map(
    workspace.entries.map((entry) => [
      entry.id,
      {
        path: entry.path,
        of: entry.kind,
        title: entry.title,
        parent: entry.parent === null ? null : nameOf(entry.parent.id),
        markdown: enhancedMarkdown(entry, workspace.blocks(entry), view, Number.POSITIVE_INFINITY).markdown,
        links: workspace.leadsTo(entry).map((id) => (id.length === 36 ? nameOf(id) : id)),
        properties: JSON.stringify(workspace.properties(entry)),
        text: entry.file?.text ?? null,
      },
    ]),
  );
}

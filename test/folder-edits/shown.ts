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
  /** Its tags, and how often it has them. */
  readonly tags: readonly string[];
  /** The digest of the text, by which a test knows it again. */
  readonly text: string | null;
}

/** Each page, database and tag of a workspace, by its id. Texts name others by `nameOf`. */
export function shownIn(
  workspace: Workspace,
  nameOf: (id: string) => string = (id) => workspace.entry(id)?.path ?? "nothing",
): Map<string, Shown> {
  const addresses: Addresses = { ofId: nameOf, ofBlock: (pageId) => nameOf(pageId) };
  const view = { addresses, entry: (id: string) => workspace.entry(id), titleOf: () => "" };
  const tags = workspace.tags();
  const ofTags = tags.all.map((tag): [string, Shown] => {
    const parent = tag.parent?.id ?? null;
    return [tag.id, { ...nothing, path: tag.id, of: tag.kind, title: tag.name, parent }];
  });
  return new Map([
    ...ofTags,
    ...workspace.entries.map((entry): [string, Shown] => [
      entry.id,
      {
        path: entry.path,
        of: entry.kind,
        title: entry.title,
        parent: entry.parent === null ? null : nameOf(entry.parent.id),
        markdown: enhancedMarkdown(entry, workspace.blocks(entry), view, Number.POSITIVE_INFINITY).markdown,
        links: workspace.leadsTo(entry).map((target) => target.replace(/^[\da-f-]{36}/, nameOf)),
        properties: JSON.stringify(workspace.properties(entry)),
        tags: tags.of(entry).map(({ tag, count }) => `${count} ${tag.id}`),
        text: entry.file?.text ?? null,
      },
    ]),
  ]);
}

const nothing = { markdown: "", links: [], properties: "", tags: [], text: null };

import { isRecord, parseId } from "@clew/folder";
import { type Client, collectPaginatedAPI, isFullBlock, isFullPage } from "@notionhq/client";

/** A page's text in the two forms in which the API gives it, and the references in each: `mention <id>` or `link <id>`. */
export interface BothForms {
  readonly markdown: string;
  readonly blocks: readonly Block[];
  readonly fromMarkdown: readonly string[];
  readonly fromBlocks: readonly string[];
}

type Block = Extract<
  Awaited<ReturnType<Client["blocks"]["children"]["list"]>>["results"][number],
  { type: string }
>;

/** Reads a page in both forms. */
export async function readBothForms(notion: Client, pageId: string): Promise<BothForms> {
  const { markdown } = await notion.pages.retrieveMarkdown({ page_id: pageId });
  const blocks = await allBlocks(notion, pageId);
  return {
    markdown,
    blocks,
    fromMarkdown: referencesInMarkdown(markdown).sort(),
    fromBlocks: blocks.flatMap(referencesInBlock).sort(),
  };
}

/** Every block below a page, child pages and databases left out. */
async function allBlocks(notion: Client, id: string): Promise<Block[]> {
  const children = await collectPaginatedAPI(notion.blocks.children.list, { block_id: id });
  const full = children.filter(isFullBlock).filter(({ type }) => !type.startsWith("child_"));
  const below = await Promise.all(
    full.map((block) => (block.has_children ? allBlocks(notion, block.id) : [])),
  );
  return full.flatMap((block, index) => [block, ...(below[index] ?? [])]);
}

/** Rich text may lie anywhere in a block: in its own text, in cells, in captions. */
function referencesInBlock(block: Block): string[] {
  const found: string[] = [];
  JSON.stringify(block, (_key, value) => {
    if (Array.isArray(value))
      found.push(...value.flatMap((item, index) => referenceIn(item, value[index - 1])));
    return value;
  });
  return found;
}

/** The reference that begins in a piece of rich text; the pieces of one link are one reference. */
function referenceIn(item: unknown, before: unknown): string[] {
  if (!isRecord(item)) return [];
  if (item.type === "mention" && isRecord(item.mention)) {
    const target = item.mention[String(item.mention.type)];
    return isRecord(target) ? [`mention ${target.id}`] : [];
  }
  const continued = isRecord(before) && before.type === "text" && before.href === item.href;
  return item.type === "text" && typeof item.href === "string" && !continued ? linkTo(item.href) : [];
}

function referencesInMarkdown(markdown: string): string[] {
  const text = markdown
    .replace(/^\t*(`{3,}).*\n[\s\S]*?\n\t*\1$/gm, "")
    .replace(/(?<![\\`])(`+)(?!`).*?(?<!`)\1(?!`)/g, "");
  const mentions = [
    ...text.matchAll(/<mention-(?:page|database) url="[^"]*\/([0-9a-f]{32})(?:#[^"]*)?"(?: alias="true")?>/g),
  ];
  const links = [...text.matchAll(/(?<!\\)\]\(([^)]*)\)/g)];
  return [
    ...mentions.map(([, id]) => `mention ${parseId(id ?? "")}`),
    ...links.flatMap(([, url]) => linkTo(url ?? "")),
  ];
}

function linkTo(url: string): string[] {
  const id = /^https:\/\/www\.notion\.so\/([0-9a-f]{32})(?:#.*)?$/.exec(url)?.[1];
  return id === undefined ? [] : [`link ${parseId(id)}`];
}

/** The ids of pages by their titles. */
export async function idsByTitle(notion: Client): Promise<ReadonlyMap<string, string>> {
  const results = await collectPaginatedAPI(notion.search, {});
  return new Map(
    results.map((result) => {
      if (isFullPage(result)) return [titleOf(result), result.id];
      const [title] = "title" in result ? result.title : [];
      const database = "parent" in result && "database_id" in result.parent ? result.parent.database_id : "";
      return [title?.plain_text ?? "", database];
    }),
  );
}

/** The title of a page. */
export function titleOf(page: { properties: Record<string, { type: string }> }): string {
  for (const property of Object.values(page.properties)) {
    if (property.type === "title" && "title" in property && Array.isArray(property.title)) {
      return property.title.map(({ plain_text }) => plain_text).join("");
    }
  }
  return "";
}

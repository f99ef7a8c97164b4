import { randomBytes } from "node:crypto";
import {
  type HeldReferences,
  type ListedNode,
  type PageContent,
  type ParentRef,
  ProviderError,
  type SearchEntry,
  type WorkspaceReader,
} from "@clew/provider";
import { UnsupportedTypeError } from "../../packages/notion/src/json.ts";
import { parentOf } from "../../packages/notion/src/listed-node.ts";
import { lineOfBlock } from "../../packages/notion/src/markdown/write.ts";
import { createNotionProvider } from "../../packages/notion/src/provider.ts";
import { NotionReferenceTally } from "../../packages/notion/src/reference-tally.ts";
import { referencesIn } from "../../packages/notion/src/testing/texts.ts";
import type { Kind } from "./kind.ts";
import { at, listAt, textAt } from "./recording.ts";

/** The results of the provider's code for a recording. */
export interface Reading {
  /** In a few words. */
  readonly summary: string;
  /** `mention <id>`, `child <id>`, `parent <id>` and so on. */
  readonly references: readonly string[];
}

/** Any id does: every request is answered with the recording. */
const someId = "00000000-0000-4000-8000-000000000001";

/**
 * Reads a recording with the provider's own code: with a method of the reader if one takes such an answer, otherwise with
 * the function for its parts. Throws if the code cannot read it.
 */
export async function read(kind: Kind, json: unknown): Promise<Reading> {
  const reader = readerOf(json);
  switch (kind) {
    case "page":
      return ofNodes([await reader.page(someId)]);
    case "database":
      return ofNodes([await reader.database(someId)]);
    case "data source":
      return ofNodes([await reader.databaseOf(someId)]);
    case "search or query":
      return ofList(reader, json);
    case "block":
      return ofBlocks([json], [await reader.parentOfBlock(someId)]);
    case "old block":
      return ofBlocks([json], []);
    case "blocks":
      return ofBlocks(
        listAt(json, "results"),
        listAt(json, "results").map((block) => parentOf(block)),
      );
    case "Markdown":
      return ofContent(await reader.content(someId));
    case "property":
      return ofProperty(await reader.property(someId, { id: "title", name: "A property" }));
    case "rich text":
      return ofRichText([json]);
    case "comment":
      return ofRichText(listAt(json, "rich_text"));
    case "comments":
      return ofRichText(listAt(json, "results").flatMap((comment) => listAt(comment, "rich_text")));
    case "error":
      return ofError(reader);
    default:
      return { summary: "Clew never asks for it", references: [] };
  }
}

/** A reader of a provider that always gives one answer; further parts of a list are empty. */
function readerOf(json: unknown): WorkspaceReader {
  const rest = { ...(typeof json === "object" ? json : {}), results: [], has_more: false, next_cursor: null };
  const fetch = async (url: string | URL | Request, init?: RequestInit) => {
    const isFirst = !`${url}${init?.body ?? ""}`.includes("start_cursor");
    return Response.json(isFirst ? json : rest, { status: Number(at(json, "status")) || 200 });
  };
  return createNotionProvider({
    slug: "notion",
    aliases: [],
    name: "Notion",
    standIn: false,
    apiUrl: new URL("https://recorded.example"),
    clientId: "client",
    clientSecret: "secret",
    fetch,
    clock: () => 0,
    random: randomBytes,
    sleep: async () => {},
  }).reader("token");
}

/** Search and queries have the same answers, so both must find everything in the recording. */
async function ofList(reader: WorkspaceReader, json: unknown): Promise<Reading> {
  const found = await collected(reader.search());
  const rows = await collected(reader.rows(someId, null));
  const recorded = listAt(json, "results");
  if (found.length !== recorded.length || rows.length !== new Set(found.map(({ id }) => id)).size)
    throw new Error(`Of ${recorded.length} entries, search found ${found.length} and queries ${rows.length}`);
  return ofNodes(found);
}

/** Throws if an entry cannot be read, or is of an unknown kind. */
async function collected(list: AsyncIterable<SearchEntry>): Promise<ListedNode[]> {
  const found: ListedNode[] = [];
  for await (const entry of list) {
    if (entry.type === "unreadable") throw entry.error;
    if (entry.type === "unsupported")
      throw new Error(`Entries of the kind ${entry.unsupported.type} are not supported`);
    if (entry.type === "cut") throw new Error("The list is cut");
    found.push(entry);
  }
  return found;
}

/** Throws if a property of a node cannot be read. */
function ofNodes(nodes: readonly ListedNode[]): Reading {
  const [first] = nodes;
  for (const { error } of nodes.flatMap(({ partial }) => partial.unread)) if (error !== null) throw error;
  return {
    summary: nodes.length === 1 ? `“${first?.title}”` : `${nodes.length} nodes`,
    references: nodes.flatMap((node) => [
      ...ofParent(node.parent),
      ...ofHeld(node),
      ...node.partial.cut.flatMap(ofHeld),
    ]),
  };
}

function ofBlocks(blocks: readonly unknown[], parents: readonly ParentRef[]): Reading {
  const lines = blocks.flatMap((block) => lineOf(block) ?? []);
  const found = referencesIn(lines.join("\n"));
  return {
    summary: [...new Set(blocks.map((block) => textAt(block, "type")))].join(", "),
    references: [...parents.flatMap(ofParent), ...ofText(found)],
  };
}

/** Null for the many blocks that are part of their page's Markdown. */
function lineOf(block: unknown): string | null {
  try {
    return lineOfBlock(block);
  } catch (error) {
    if (error instanceof UnsupportedTypeError) return null;
    throw error;
  }
}

function ofContent(content: PageContent): Reading {
  if (!content.complete) throw new Error("A part of the text cannot be read");
  return { summary: `${content.markdown.length} characters`, references: ofText(content) };
}

function ofText(found: Pick<PageContent, "references" | "children">): string[] {
  return [...ofHeld(found), ...found.children.map(({ id }) => `child ${id}`)];
}

function ofProperty(property: Pick<HeldReferences, "references"> & { readonly value: unknown }): Reading {
  return { summary: JSON.stringify(property.value).slice(0, 100), references: ofHeld(property) };
}

function ofRichText(items: readonly unknown[]): Reading {
  const tally = new NotionReferenceTally();
  tally.richText(items);
  return { summary: `${items.length} pieces`, references: ofHeld(tally.held()) };
}

async function ofError(reader: WorkspaceReader): Promise<Reading> {
  try {
    await reader.page(someId);
  } catch (error) {
    if (error instanceof ProviderError) return { summary: error.code, references: [] };
    throw error;
  }
  throw new Error("the error was read as a page");
}

function ofHeld({ references }: Pick<HeldReferences, "references">): string[] {
  return references.map(({ type, targetId }) => `${type} ${targetId}`);
}

function ofParent(parent: ParentRef): string[] {
  switch (parent.kind) {
    case "workspace":
    case "foreign":
    case "unknown":
      return [];
    case "collection":
      return [`parent ${parent.id}`, ...(parent.databaseId === null ? [] : [`parent ${parent.databaseId}`])];
    default:
      return [`parent ${parent.id}`];
  }
}

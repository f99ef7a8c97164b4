import type { Client } from "@clew/client";
import { passagesOf } from "@clew/text";

/** A page as Clew serves it, for the ways of search that Clew is measured beside. */
export interface CorpusPage {
  readonly id: string;
  readonly title: string;
  /** Its blocks as a reader sees them, each with the sign before it. */
  readonly lines: readonly string[];
  readonly chunks: readonly Chunk[];
  /** The pages that it links to, and those that link to it. */
  readonly to: readonly number[];
  readonly from: readonly number[];
}

/** Blocks of a page that stand below one heading. */
export interface Chunk {
  /** The place of the page in the list. */
  readonly page: number;
  readonly text: string;
}

/** A longer section becomes several chunks. */
const chunkChars = 1_500;

/** All pages of the token's workspaces, with their links; references in properties and subpages are none. */
export async function readPages(client: Client): Promise<readonly CorpusPage[]> {
  const titles = new Map<string, string>();
  const texts = new Map<string, string>();
  const links: { from: string; to: string }[] = [];
  for await (const item of client.exportGraph({ text: true })) {
    if ("node" in item) titles.set(item.node.id, item.node.title);
    else if ("text" in item) texts.set(item.text.node_id, item.text.markdown);
    else if ("edge" in item && (item.edge.type === "link" || item.edge.type === "mention"))
      links.push(item.edge);
  }
  const ids = [...titles.keys()];
  const places = new Map(ids.map((id, place) => [id, place]));
  const ends = (id: string, near: "from" | "to", far: "from" | "to") => [
    ...new Set(links.filter((link) => link[near] === id).flatMap((link) => places.get(link[far]) ?? [])),
  ];
  return ids.map((id, page) => {
    const title = titles.get(id) ?? "";
    const { lines, chunks } = chunksOf(page, title, texts.get(id) ?? "");
    return { id, title, lines, chunks, to: ends(id, "from", "to"), from: ends(id, "to", "from") };
  });
}

/** Cuts a text at its headings, and longer sections between blocks. Each chunk begins with the title and the headings above it. */
function chunksOf(page: number, title: string, markdown: string): Pick<CorpusPage, "lines" | "chunks"> {
  const chunks: Chunk[] = [];
  const lines: string[] = [];
  const headings: { level: number; text: string }[] = [];
  let blocks: string[] = [];
  const close = () => {
    const head = [title, ...headings.map(({ text }) => text)].join(" › ");
    if (blocks.length > 0) chunks.push({ page, text: `${head}\n${blocks.join("\n")}` });
    blocks = [];
  };
  for (const { kind, level, marker, text } of passagesOf(markdown)) {
    lines.push(marker + text);
    if (kind === "heading") {
      close();
      while ((headings.at(-1)?.level ?? 0) >= level) headings.pop();
      headings.push({ level, text });
      continue;
    }
    if (blocks.join("\n").length + text.length > chunkChars) close();
    blocks.push(marker + text);
  }
  close();
  // A page without text can still be found by its title.
  if (chunks.length === 0) chunks.push({ page, text: title });
  return { lines, chunks };
}

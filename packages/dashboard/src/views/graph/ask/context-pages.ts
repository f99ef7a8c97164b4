import type { Context } from "@clew/client";
import { blockTree, type TreeBlock } from "@clew/text";

type Item = Context["items"][number];

/** A page of a context, as a person reads it. */
export interface ShownPage {
  readonly item: Item;
  /** The titles of the pages above it, as one line; null at the top level. */
  readonly place: string | null;
  readonly sections: readonly ShownSection[];
  /** Clew's notes below the text: what was hidden, or nearly the same elsewhere. */
  readonly notes: readonly string[];
}

/** Passages that stand below the same headings, and where the first of them starts in the page. */
export interface ShownSection {
  readonly headings: readonly string[];
  readonly offset: number;
  readonly blocks: readonly TreeBlock[];
}

/** A page of a context: its title, the lines about it, its text within a fence, which no text can close, and notes (GRAPH-22). */
const pagePattern = /^# .*\n((?:(?!~{3}).*\n)*)(~{3,})\n([\s\S]*?)\n\2(?:\n|$)((?:\(.*\n?)*)/gm;

/** Takes the Markdown of a context apart: its pages are those of `items`, in their order. */
export function pagesOf({ markdown, items }: Pick<Context, "markdown" | "items">): readonly ShownPage[] {
  const found = [...markdown.matchAll(pagePattern)];
  return items.flatMap((item, index) => {
    const [, about = "", , text = "", notes = ""] = found[index] ?? [];
    return {
      item,
      place: /^Place: (.*)$/m.exec(about)?.[1] ?? null,
      sections: sectionsOf(item, blockTree(text, 0)),
      notes: notes.split("\n").filter((note) => note !== ""),
    };
  });
}

/**
 * The sections of a page's text. Each begins with the headings above it that the section before does not have. If there are not as
 * many as the passages have, such as where a heading has no text, the whole text stands below the first one's headings.
 */
function sectionsOf({ passages }: Item, blocks: readonly TreeBlock[]): readonly ShownSection[] {
  const places: { readonly headings: readonly string[]; readonly offset: number }[] = [];
  for (const { headings, offset } of passages)
    if (places.at(-1)?.headings.join("\n") !== headings.join("\n")) places.push({ headings, offset });
  const texts: TreeBlock[][] = [];
  let isAfterHeading = false;
  for (const block of blocks) {
    const isHeading = block.kind === "heading";
    if (texts.length === 0 || (isHeading && !isAfterHeading)) texts.push([]);
    if (!isHeading) texts.at(-1)?.push(block);
    isAfterHeading = isHeading;
  }
  if (texts.length === places.length)
    return places.map((place, index) => ({ ...place, blocks: texts[index] ?? [] }));
  const [first] = places;
  return first === undefined ? [] : [{ ...first, blocks }];
}

import { passagesOf, type TextPassage } from "./passages.ts";

/** The text between two headings. */
export interface HeadedSection {
  /** The headings above it, outermost first. */
  readonly headings: readonly TextPassage[];
  readonly groups: readonly BlockGroup[];
}

/** Blocks that are true only together: a list or a table with the line that introduces it, or one other block. */
export interface BlockGroup {
  /** A paragraph that ends in a colon, before the others. */
  readonly introduction: TextPassage | null;
  readonly kind: "list" | "table" | "block";
  /**
   * The items of a list, each with what is nested in it; the rows of a table, of which the first is its header; or the one
   * block.
   */
  readonly items: readonly (readonly TextPassage[])[];
}

/** Cuts a text at its headings, and groups the blocks between them. Headings without text below them are sections too. */
export function headedSectionsOf(markdown: string): HeadedSection[] {
  const sections: { headings: readonly TextPassage[]; groups: OpenGroup[] }[] = [];
  for (const passage of passagesOf(markdown)) {
    const last = sections.at(-1);
    if (passage.kind === "heading") {
      const above = last?.headings.filter(({ level }) => level < passage.level) ?? [];
      sections.push({ headings: [...above, passage], groups: [] });
    } else if (last === undefined) sections.push({ headings: [], groups: [opened(passage)] });
    // Headings of a transcript end with it.
    else if (!passage.isTranscript && last.headings.some(({ isTranscript }) => isTranscript))
      sections.push({
        headings: last.headings.filter(({ isTranscript }) => !isTranscript),
        groups: [opened(passage)],
      });
    else addTo(last.groups, passage);
  }
  return sections;
}

interface OpenGroup extends BlockGroup {
  readonly items: TextPassage[][];
  /** The tabs before its first block. */
  readonly depth: number;
}

/** Adds a block to the last group, or as another group. */
function addTo(groups: OpenGroup[], passage: TextPassage): void {
  const last = groups.at(-1);
  const { kind, depth, isApart } = passage;
  if (last?.kind === "list" && depth > last.depth) last.items.at(-1)?.push(passage);
  else if (last?.kind === "list" && goesOn(last, passage)) last.items.push([passage]);
  else if (last?.kind === "table" && kind === "row" && !isApart) last.items.push([passage]);
  else {
    const introduction = last !== undefined && introducible.has(kind) ? introductionOf(last) : null;
    if (introduction !== null) groups.pop();
    groups.push(opened(passage, introduction));
  }
}

/** Whether a block is the next item of a list: lists beside each other differ in their signs, or a number begins anew. */
function goesOn({ items, depth }: OpenGroup, passage: TextPassage): boolean {
  if (passage.kind !== "item" || passage.depth !== depth) return false;
  const [before, number] = [numberOf(items.at(-1)?.[0]), numberOf(passage)];
  if (before === null || number === null) return before === number;
  // Some number all items alike, and leave counting to the reader.
  return number === before + 1 || number === before;
}

function numberOf(item: TextPassage | undefined): number | null {
  const number = Number.parseInt(item?.marker ?? "", 10);
  return Number.isNaN(number) ? null : number;
}

const opened = (passage: TextPassage, introduction: TextPassage | null = null): OpenGroup => ({
  introduction,
  kind: groupKinds[passage.kind],
  items: [[passage]],
  depth: passage.depth,
});

const groupKinds = {
  item: "list",
  row: "table",
  code: "block",
  paragraph: "block",
  heading: "block",
} as const;

const introducible: ReadonlySet<TextPassage["kind"]> = new Set(["item", "row", "code"]);

/** The paragraph of a group that introduces what follows; null if it does not. */
function introductionOf({ kind, introduction, items }: BlockGroup): TextPassage | null {
  const passage = items[0]?.[0];
  if (kind !== "block" || introduction !== null || passage?.kind !== "paragraph") return null;
  return /[:：]\s*$/.test(passage.text) ? passage : null;
}

import { answerReadings, askOwner } from "@clew/threads";
import { dialectNamed } from "../dialects/detect.ts";
import { type PlacedBlock, placeBlocks } from "../document/block.ts";
import { PageBounds } from "../document/bounds.ts";
import { type ParsedPiece, parsePieces, withoutTitle } from "../document/read-document.ts";
import type { LinkResolver, LinkTarget } from "../document/references.ts";
import { enhancedMarkdown, type PageNames } from "../document/write-markdown.ts";
import { writtenAddresses } from "./addresses.ts";
import type { LinkAnswers, LinkQuestion, PageCall, PageEnd, PagePart } from "./page-texts.ts";

// A thread that reads the texts of pages, one page at a time and piece by piece. Where links lead it asks the folders' thread, which
// knows all pages.

answerReadings<PageCall, PageEnd, PagePart>(async (call, sendPart) => {
  const { reading, id, title, flavour, dialect, skip, used } = call;
  const body = dialectNamed(dialect).prepare?.(call.body) ?? call.body;
  const bounds = PageBounds.from(used);
  let last: PagePart | null = null;
  let index = skip;
  for (const piece of parsePieces(body, flavour, skip)) {
    if (last !== null) sendPart(last);
    const links = await linksOf(piece, reading);
    const { blocks } = piece.document(links, bounds);
    const placed = placeBlocks(
      id,
      index === 0 ? withoutTitle(blocks, title) : blocks,
      index === 0 ? "" : `${index}/`,
    );
    const { markdown } = enhancedMarkdown({ id }, placed, links.names, Number.POSITIVE_INFINITY);
    last = {
      markdown,
      continuesTable: piece.continuesTable,
      unsupported: countUnsupported(placed),
      used: bounds.used,
    };
    if (bounds.cut !== null) break;
    index += 1;
  }
  return { last, cut: bounds.cut };
});

/** The links of a piece, as the folders' thread resolves them. */
async function linksOf(
  piece: ParsedPiece,
  reading: number,
): Promise<LinkResolver<LinkTarget> & { readonly names: PageNames }> {
  const targets = piece.targets();
  const question: LinkQuestion = {
    reading,
    hyperlinks: [...targets.hyperlinks],
    wikiLinks: [...targets.wikiLinks],
  };
  const isLinked = targets.hyperlinks.size + targets.wikiLinks.size > 0;
  // The folders' thread answers this question.
  const answers = isLinked ? ((await askOwner(question)) as LinkAnswers) : noLinks;
  return {
    hyperlink: (target) => answers.hyperlinks.get(target) ?? elsewhere,
    wikiLink: (target) => answers.wikiLinks.get(target) ?? elsewhere,
    names: {
      addresses: writtenAddresses,
      entry: () => null,
      titleOf: (id) => answers.titles.get(id) ?? "Untitled",
    },
  };
}

const elsewhere = { kind: "elsewhere" } as const;
const noLinks: LinkAnswers = { hyperlinks: new Map(), wikiLinks: new Map(), titles: new Map() };

/** The number of blocks that have no Markdown in Clew. */
function countUnsupported(blocks: readonly PlacedBlock[]): number {
  return blocks.reduce(
    (count, { block, children }) => count + Number(block.type === "unsupported") + countUnsupported(children),
    0,
  );
}

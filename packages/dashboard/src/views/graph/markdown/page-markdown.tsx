import type { Node } from "@clew/client";
import { blockTree, type TreeBlock, textOf } from "@clew/text";
import { Link } from "@tanstack/react-router";
import { createContext, type ReactNode, use, useMemo } from "react";
import { paths } from "../../../paths.ts";
import { clewUrl } from "../../../session/urls.ts";
import { type AddressedInline, Markdown, NoLinks, Pieces, type TextFrame } from "../../../ui/markdown.tsx";
import { graphWords } from "../../../words.ts";
import { destinationOf } from "./addresses.ts";
import { blankComments, readObsidian } from "./obsidian.ts";

const demo = new URL("demo/", clewUrl);

/** The other pages that a text names. */
interface OtherPages {
  /** Pages that are not shared: a link to one opens the original. */
  readonly isMissing: (id: string) => boolean;
  /** The title of a page that a mention does not name. */
  readonly titleOf: (id: string) => string | undefined;
}

const OtherPagesContext = createContext<OtherPages>({ isMissing: () => false, titleOf: () => undefined });

/** The id of the element that shows the block at an offset. */
export const anchorOf = (offset: number): string => `at-${offset}`;

/**
 * A text in the provider's Markdown as elements. No image is loaded, and only addresses that open a site, a letter or a page
 * of the graph become links.
 */
export function PageMarkdown({
  markdown,
  offset,
  isFromFolder,
  isMissing,
  titleOf,
}: {
  markdown: string;
  /** The start of `markdown` in the whole text, in code points. */
  offset: number;
  /** Whether the page is a file of a folder, where Obsidian's markup is read. */
  isFromFolder: boolean;
} & OtherPages) {
  const blocks = useMemo(
    () => blockTree(isFromFolder ? blankComments(markdown) : markdown, offset),
    [markdown, offset, isFromFolder],
  );
  const others = useMemo(() => ({ isMissing, titleOf }), [isMissing, titleOf]);
  return (
    <OtherPagesContext value={others}>
      <Markdown blocks={blocks} frame={isFromFolder ? folderFrame : frame} />
    </OtherPagesContext>
  );
}

const frame: TextFrame = { idOf: ({ offset }: TreeBlock) => anchorOf(offset), Addressed };
const folderFrame: TextFrame = { ...frame, read: readObsidian, Tag };

/** Whether a page is a file of a folder: it has no address, one at a forge, or one of the demo workspace. */
export const isFromFolder = ({ url }: Pick<Node, "url">): boolean =>
  url === null || url.startsWith(demo.href) || destinationOf(url, demo).kind !== "page";

/** A tag leads to the pages that have it. */
function Tag({ name }: { name: string }) {
  return (
    <Link className="link" to={paths.graph} search={{ q: `#${name}` }}>
      <bdi>#{name}</bdi>
    </Link>
  );
}

function Addressed({ piece }: { piece: AddressedInline }) {
  const { isMissing, titleOf } = use(OtherPagesContext);
  const destination = useMemo(() => destinationOf(piece.address, demo), [piece.address]);
  if (destination.kind === "none") return <span>{labelOf(piece, graphWords.deadLink)}</span>;
  if (destination.kind === "page" && isMissing(destination.id))
    return (
      <span
        className="underline decoration-edge decoration-dotted underline-offset-4"
        title={graphWords.notShared}
      >
        {labelOf(piece, graphWords.notShared)}
      </span>
    );
  if (destination.kind === "page")
    return (
      <Link className="link" to={paths.page} params={{ pageId: destination.id }}>
        {labelOf(piece, titleOf(destination.id) ?? graphWords.untitled)}
      </Link>
    );
  return (
    <a
      className="link"
      href={destination.href}
      title={destination.href}
      target="_blank"
      rel="noreferrer noopener"
    >
      {labelOf(piece, hostOf(destination.href))}
      <span className="sr-only"> {graphWords.otherSite}</span>
      <span aria-hidden="true">&#8239;↗</span>
    </a>
  );
}

/** The label of a link. An image is a link, since showing it would tell another host who reads the page. */
function labelOf(piece: AddressedInline, otherwise: string): ReactNode {
  const isEmpty = textOf(piece.children).trim() === "";
  if (piece.kind === "image")
    return isEmpty ? graphWords.image : `${graphWords.image}: ${textOf(piece.children)}`;
  if (isEmpty) return <bdi>{otherwise}</bdi>;
  return (
    <NoLinks>
      <bdi>
        <Pieces pieces={piece.children} />
      </bdi>
    </NoLinks>
  );
}

const hostOf = (href: string): string => URL.parse(href)?.host || href;

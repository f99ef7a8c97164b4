import { blockTree, type Inline, inlineTree, type TreeBlock, textOf } from "@clew/text";
import { Link } from "@tanstack/react-router";
import { createContext, memo, type ReactNode, use, useMemo } from "react";
import { paths } from "../../../paths.ts";
import { clewUrl } from "../../../session/urls.ts";
import { CheckIcon } from "../../../ui/icons.tsx";
import { graphWords } from "../../../words.ts";
import { ScrollBox } from "../scroll-box.tsx";
import { destinationOf } from "./addresses.ts";

const demo = new URL("demo/", clewUrl);

interface TextContext {
  /** Pages that are not shared: a link to one opens the original. */
  readonly isMissing: (id: string) => boolean;
  /** The title of a page that a mention does not name. */
  readonly titleOf: (id: string) => string | undefined;
  readonly headings: ReadonlyMap<TreeBlock, number>;
}

const MarkdownContext = createContext<TextContext>({
  isMissing: () => false,
  titleOf: () => undefined,
  headings: new Map(),
});

/** Whether a piece is in a link, where no other link may be. */
const InLink = createContext(false);

/** The id of the element that shows the block at an offset. */
export const anchorOf = (offset: number): string => `at-${offset}`;

/**
 * A text in the provider's Markdown as elements. Nothing of it is parsed as HTML, no image is loaded, and only addresses
 * that open a site, a letter or a page of the graph become links.
 */
export function Markdown({
  markdown,
  offset,
  isMissing,
  titleOf,
}: {
  markdown: string;
  /** The start of `markdown` in the whole text, in code points. */
  offset: number;
} & Omit<TextContext, "headings">) {
  const blocks = useMemo(() => blockTree(markdown, offset), [markdown, offset]);
  const textContext = useMemo(
    () => ({ isMissing, titleOf, headings: headingLevels(blocks) }),
    [blocks, isMissing, titleOf],
  );
  return (
    <MarkdownContext value={textContext}>
      <div className="grid min-w-0 gap-3 leading-relaxed" dir="auto">
        <Blocks blocks={blocks} />
      </div>
    </MarkdownContext>
  );
}

/**
 * The level of each heading's element: below the title of the page, and never more than one below the heading before. One
 * without text has none.
 */
function headingLevels(blocks: readonly TreeBlock[]): ReadonlyMap<TreeBlock, number> {
  const levels = new Map<TreeBlock, number>();
  let last = 1;
  const visit = (each: readonly TreeBlock[]): void => {
    for (const block of each) {
      if (block.kind === "heading" && textOf(inlineTree(block.line)).trim() !== "") {
        last = Math.min(block.level + 1, last + 1, 6);
        levels.set(block, last);
      }
      visit(block.children);
    }
  };
  visit(blocks);
  return levels;
}

const lists: Readonly<Partial<Record<TreeBlock["kind"], "ul" | "ol">>> = {
  bullet: "ul",
  todo: "ul",
  number: "ol",
};

/** Blocks in order; items of a list that follow each other are one list. */
function Blocks({ blocks }: { blocks: readonly TreeBlock[] }) {
  const groups: TreeBlock[][] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (last !== undefined && lists[block.kind] !== undefined && last[0]?.kind === block.kind)
      last.push(block);
    else groups.push([block]);
  }
  return groups.map((group) => {
    const [first] = group;
    if (first === undefined) return null;
    return lists[first.kind] === undefined ? (
      <BlockElement key={first.offset} block={first} />
    ) : (
      <List key={first.offset} items={group} />
    );
  });
}

function List({ items }: { items: readonly TreeBlock[] }) {
  const [first] = items;
  const content = items.map((item) => <Item key={item.offset} item={item} />);
  if (first?.kind === "number")
    return (
      <ol start={first.number} className="grid list-decimal gap-1.5 pl-4 sm:pl-6 marker:text-quiet">
        {content}
      </ol>
    );
  if (first?.kind === "todo") return <ul className="grid gap-1.5">{content}</ul>;
  return <ul className="grid list-disc gap-1.5 pl-4 sm:pl-6 marker:text-quiet">{content}</ul>;
}

function Item({ item }: { item: TreeBlock }) {
  if (!("line" in item)) return null;
  const content = (
    <>
      <Line line={item.line} />
      <Nested blocks={item.children} />
    </>
  );
  if (item.kind !== "todo")
    return (
      <li id={anchorOf(item.offset)} className="scroll-mt-24">
        {content}
      </li>
    );
  return (
    <li id={anchorOf(item.offset)} className="flex scroll-mt-24 gap-2">
      <span
        className={`mt-1 grid size-4.5 shrink-0 place-items-center rounded border ${item.isDone ? "border-thread bg-thread text-on-thread" : "border-edge"}`}
      >
        {item.isDone ? <CheckIcon size={12} /> : null}
        <span className="sr-only">{item.isDone ? graphWords.done : graphWords.notDone}</span>
      </span>
      <div className={`min-w-0 ${item.isDone ? "text-quiet" : ""}`}>{content}</div>
    </li>
  );
}

function Nested({ blocks }: { blocks: readonly TreeBlock[] }) {
  return blocks.length === 0 ? null : (
    <div className="mt-1.5 grid min-w-0 gap-2">
      <Blocks blocks={blocks} />
    </div>
  );
}

const BlockElement = memo(function BlockElement({ block }: { block: TreeBlock }) {
  const id = anchorOf(block.offset);
  switch (block.kind) {
    case "heading":
      return <Heading block={block} id={id} line={block.line} />;
    case "divider":
      return <hr id={id} className="border-line" />;
    case "code":
      return (
        <ScrollBox
          id={id}
          label={graphWords.code}
          className="scroll-mt-24 bg-sunken p-4 text-sm leading-normal"
        >
          <pre className="w-max">
            <code className="font-mono whitespace-pre">{block.text}</code>
          </pre>
        </ScrollBox>
      );
    case "equation":
      return (
        <p id={id} className="overflow-x-auto font-mono text-sm whitespace-pre-wrap">
          {block.text}
        </p>
      );
    case "table":
      return <TextTable id={id} rows={block.rows} hasHeader={block.hasHeader} />;
    case "toggle":
      return (
        <details id={id} className="scroll-mt-24 rounded-lg border border-line bg-surface px-4 py-2">
          <summary className="min-h-6 font-medium">
            <Line line={block.line} />
          </summary>
          <Nested blocks={block.children} />
        </details>
      );
    case "callout":
      return (
        <div id={id} className="flex scroll-mt-24 gap-3 rounded-lg bg-thread-soft px-4 py-3">
          {block.icon === "" || block.icon.includes(":") ? null : (
            <span aria-hidden="true">{block.icon}</span>
          )}
          <div className="grid min-w-0 flex-1 gap-2">
            <Blocks blocks={block.children} />
          </div>
        </div>
      );
    case "columns":
      return (
        <div id={id} className="grid scroll-mt-24 gap-x-8 gap-y-3 lg:auto-cols-fr lg:grid-flow-col">
          <Blocks blocks={block.children} />
        </div>
      );
    case "group":
      return (
        <div id={id} className="grid min-w-0 scroll-mt-24 content-start gap-3">
          <Blocks blocks={block.children} />
        </div>
      );
    case "quote":
      return (
        <blockquote id={id} className="scroll-mt-24 border-l-3 border-thread pl-4 text-quiet">
          <Line line={block.line} />
          <Nested blocks={block.children} />
        </blockquote>
      );
    case "paragraph":
      return (
        <div id={id} className="scroll-mt-24">
          <p>
            <Line line={block.line} />
          </p>
          {block.children.length === 0 ? null : (
            <div className="pl-4 sm:pl-6">
              <Nested blocks={block.children} />
            </div>
          )}
        </div>
      );
    default:
      return null;
  }
});

/** How headings look, by level; the others are alike. */
const headingLooks: Readonly<Record<number, string>> = { 2: "mt-5 text-2xl", 3: "mt-3 text-xl" };

function Heading({ block, id, line }: { block: TreeBlock; id: string; line: string }) {
  const level = use(MarkdownContext).headings.get(block);
  const Tag = level === undefined ? "p" : (`h${level}` as "h2" | "h3" | "h4" | "h5" | "h6");
  const look = headingLooks[level ?? 0] ?? "mt-2 text-lg";
  return (
    <>
      <Tag id={id} tabIndex={-1} className={`scroll-mt-24 font-serif font-semibold ${look}`}>
        <Line line={line} />
      </Tag>
      <Nested blocks={block.children} />
    </>
  );
}

function TextTable({
  id,
  rows,
  hasHeader,
}: {
  id: string;
  rows: readonly (readonly string[])[];
  hasHeader: boolean;
}) {
  const [head, ...rest] = rows;
  const body = hasHeader ? rest : rows;
  return (
    <ScrollBox id={id} label={graphWords.textTable} className="scroll-mt-24">
      <table className="table">
        {hasHeader && head !== undefined ? (
          <thead>
            <tr>
              {head.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change.
                <th key={index} scope="col" className="whitespace-normal">
                  <Line line={cell} />
                </th>
              ))}
            </tr>
          </thead>
        ) : null}
        <tbody>
          {body.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change.
            <tr key={index}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change.
                <td key={column} className="min-w-28">
                  <Line line={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

const Line = memo(function Line({ line }: { line: string }) {
  const pieces = useMemo(() => inlineTree(line), [line]);
  return <Pieces pieces={pieces} />;
});

function Pieces({ pieces }: { pieces: readonly Inline[] }): ReactNode {
  return pieces.map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change.
    <Piece key={index} piece={piece} />
  ));
}

function Piece({ piece }: { piece: Inline }): ReactNode {
  switch (piece.kind) {
    case "text":
      return piece.text;
    case "break":
      return <br />;
    case "code":
      return (
        <code className="rounded bg-sunken px-1 py-0.5 font-mono text-[0.9em]">
          <bdi>{piece.text}</bdi>
        </code>
      );
    case "equation":
      return <span className="font-mono text-[0.95em]">{piece.text}</span>;
    case "strong":
      return (
        <strong className="font-semibold">
          <Pieces pieces={piece.children} />
        </strong>
      );
    case "emphasis":
      return (
        <em>
          <Pieces pieces={piece.children} />
        </em>
      );
    case "deleted":
      return (
        <del>
          <Pieces pieces={piece.children} />
        </del>
      );
    case "underlined":
      return (
        <u>
          <Pieces pieces={piece.children} />
        </u>
      );
    default:
      return <AddressedPiece piece={piece} />;
  }
}

function AddressedPiece({ piece }: { piece: Extract<Inline, { address: string }> }) {
  const { isMissing, titleOf } = use(MarkdownContext);
  const isInLink = use(InLink);
  const destination = useMemo(() => destinationOf(piece.address, demo), [piece.address]);
  if (isInLink) return textOf([piece]);
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
function labelOf(piece: Extract<Inline, { address: string }>, otherwise: string): ReactNode {
  const isEmpty = textOf(piece.children).trim() === "";
  if (piece.kind === "image")
    return isEmpty ? graphWords.image : `${graphWords.image}: ${textOf(piece.children)}`;
  if (isEmpty) return <bdi>{otherwise}</bdi>;
  return (
    <InLink value={true}>
      <bdi>
        <Pieces pieces={piece.children} />
      </bdi>
    </InLink>
  );
}

const hostOf = (href: string): string => URL.parse(href)?.host || href;

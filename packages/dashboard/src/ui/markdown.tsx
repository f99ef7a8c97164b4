import { type Inline, inlineTree, type TreeBlock, textOf } from "@clew/text";
import { type ComponentType, createContext, memo, type ReactNode, use, useMemo } from "react";
import { textWords } from "../words.ts";
import { CheckIcon } from "./icons.tsx";
import { ScrollBox } from "./scroll-box.tsx";

/** A link, mention, citation or image. */
export type AddressedInline = Extract<Inline, { readonly address: string }>;

/** A piece of a line as it is shown: also what a frame reads in its plain texts. */
export type ShownInline =
  | Inline
  | { readonly kind: "marked"; readonly children: readonly Inline[] }
  | { readonly kind: "tag"; readonly name: string };

/** The difference between the places that show a text. */
export interface TextFrame {
  /** The id of the element that shows a block. */
  readonly idOf: (block: TreeBlock) => string | undefined;
  /** Shows what has an address. Its children are shown by `Pieces`, in `NoLinks` if they are in a link. */
  readonly Addressed: ComponentType<{ readonly piece: AddressedInline }>;
  /** Reads further markup in the pieces of a line. */
  readonly read?: (pieces: readonly Inline[]) => readonly ShownInline[];
  /** Shows a tag that `read` found. */
  readonly Tag?: ComponentType<{ readonly name: string }>;
  /** Follows the text of a heading. */
  readonly HeadingEnd?: ComponentType<{ readonly block: TreeBlock }>;
}

interface TextContext extends TextFrame {
  /** The levels of their elements. */
  readonly headings: ReadonlyMap<TreeBlock, number>;
  /** The numbers of tables and code, which tell the keyboard's stops at them apart. */
  readonly boxes: ReadonlyMap<TreeBlock, number>;
}

const MarkdownContext = createContext<TextContext>({
  idOf: () => undefined,
  Addressed: ({ piece }) => textOf([piece]),
  headings: new Map(),
  boxes: new Map(),
});

/** Whether a piece is in a link, where no other link may be. */
const InLink = createContext(false);

/** Shows pieces in a link. */
export function NoLinks({ children }: { children: ReactNode }) {
  return <InLink value={true}>{children}</InLink>;
}

/** The blocks of a text as elements. Nothing of it is parsed as HTML, and only `frame` makes links and loads images. */
export function Markdown({ blocks, frame }: { blocks: readonly TreeBlock[]; frame: TextFrame }) {
  const textContext = useMemo(
    () => ({ ...frame, headings: headingLevels(blocks), boxes: boxNumbers(blocks) }),
    [blocks, frame],
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

function boxNumbers(blocks: readonly TreeBlock[]): ReadonlyMap<TreeBlock, number> {
  const numbers = new Map<TreeBlock, number>();
  const visit = (each: readonly TreeBlock[]): void => {
    for (const block of each) {
      if (block.kind === "code" || block.kind === "table") numbers.set(block, numbers.size + 1);
      visit(block.children);
    }
  };
  visit(blocks);
  return numbers;
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
    return <ol className="grid list-decimal gap-1.5 pl-4 sm:pl-6 marker:text-quiet">{content}</ol>;
  if (first?.kind === "todo") return <ul className="grid gap-1.5">{content}</ul>;
  return <ul className="grid list-disc gap-1.5 pl-4 sm:pl-6 marker:text-quiet">{content}</ul>;
}

function Item({ item }: { item: TreeBlock }) {
  const { idOf } = use(MarkdownContext);
  if (!("line" in item)) return null;
  const content = (
    <>
      <Line line={item.line} />
      <Nested blocks={item.children} />
    </>
  );
  if (item.kind !== "todo")
    return (
      <li id={idOf(item)} value={item.kind === "number" ? item.number : undefined} className="scroll-mt-24">
        {content}
      </li>
    );
  return (
    <li id={idOf(item)} className="flex scroll-mt-24 gap-2">
      {item.number === null ? null : <span className="text-quiet">{`${item.number}.`}</span>}
      <span
        className={`mt-1 grid size-4.5 shrink-0 place-items-center rounded border ${item.isDone ? "border-thread bg-thread text-on-thread" : "border-edge"}`}
      >
        {item.isDone ? <CheckIcon size={12} /> : null}
        <span className="sr-only">{item.isDone ? textWords.done : textWords.notDone}</span>
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
  const { idOf, boxes } = use(MarkdownContext);
  const id = idOf(block);
  const number = boxes.get(block) ?? 0;
  switch (block.kind) {
    case "heading":
      return <Heading block={block} id={id} line={block.line} />;
    case "divider":
      return <hr id={id} className="border-line" />;
    case "code":
      return (
        <ScrollBox
          id={id}
          label={textWords.code(number)}
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
      return <TextTable id={id} number={number} rows={block.rows} hasHeader={block.hasHeader} />;
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
        <div
          id={id}
          className={`flex scroll-mt-24 gap-3 rounded-lg px-4 py-3 ${calloutLooks[block.icon] ?? "bg-thread-soft"}`}
        >
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

/** How callouts look that warn, by their icon. */
const calloutLooks: Readonly<Record<string, string>> = {
  "❗": "bg-warn-soft",
  "⚠️": "bg-warn-soft",
  "🛑": "bg-danger-soft",
};

/** How headings look, by level; the others are alike. */
const headingLooks: Readonly<Record<number, string>> = { 2: "mt-5 text-2xl", 3: "mt-3 text-xl" };

function Heading({ block, id, line }: { block: TreeBlock; id: string | undefined; line: string }) {
  const { headings, HeadingEnd } = use(MarkdownContext);
  const level = headings.get(block);
  const Tag = level === undefined ? "p" : (`h${level}` as "h2" | "h3" | "h4" | "h5" | "h6");
  const look = headingLooks[level ?? 0] ?? "mt-2 text-lg";
  return (
    <>
      <Tag id={id} tabIndex={-1} className={`scroll-mt-24 font-serif font-semibold ${look}`}>
        <Line line={line} />
        {HeadingEnd === undefined ? null : <HeadingEnd block={block} />}
      </Tag>
      <Nested blocks={block.children} />
    </>
  );
}

function TextTable({
  id,
  number,
  rows,
  hasHeader,
}: {
  id: string | undefined;
  number: number;
  rows: readonly (readonly string[])[];
  hasHeader: boolean;
}) {
  const [head, ...rest] = rows;
  const body = hasHeader ? rest : rows;
  return (
    <ScrollBox id={id} label={textWords.table(number)} className="scroll-mt-24">
      <table className="table">
        {hasHeader && head !== undefined ? (
          <thead>
            <tr>
              {head.map((cell, index) =>
                cell === "" ? (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change.
                  <td key={index} />
                ) : (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change.
                  <th key={index} scope="col" className="whitespace-normal">
                    <Line line={cell} />
                  </th>
                ),
              )}
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

/** The pieces of a line. */
export function Pieces({ pieces }: { pieces: readonly Inline[] }): ReactNode {
  const { read } = use(MarkdownContext);
  const shown: readonly ShownInline[] = read === undefined ? pieces : read(pieces);
  return shown.map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change.
    <Piece key={index} piece={piece} />
  ));
}

function Piece({ piece }: { piece: ShownInline }): ReactNode {
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
      return (
        <span role="math" className="font-serif italic">
          {piece.text}
        </span>
      );
    case "marked":
      return (
        <mark className="rounded-sm bg-warn-soft px-0.5 text-ink">
          <Pieces pieces={piece.children} />
        </mark>
      );
    case "tag":
      return <TagPiece name={piece.name} />;
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

function TagPiece({ name }: { name: string }) {
  const { Tag } = use(MarkdownContext);
  return use(InLink) || Tag === undefined ? `#${name}` : <Tag name={name} />;
}

function AddressedPiece({ piece }: { piece: AddressedInline }) {
  const { Addressed } = use(MarkdownContext);
  return use(InLink) ? textOf([piece]) : <Addressed piece={piece} />;
}

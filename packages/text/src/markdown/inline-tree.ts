import { type Attributes, attributesOf } from "./attributes.ts";
import { type Piece, readInline, type Span } from "./inline.ts";

/** A piece of a line, as it is shown. */
export type Inline =
  | { readonly kind: "text" | "code" | "equation"; readonly text: string }
  | { readonly kind: "break" }
  | {
      readonly kind: "strong" | "emphasis" | "deleted" | "underlined";
      readonly children: readonly Inline[];
    }
  | {
      readonly kind: "link" | "image" | "mention" | "citation";
      readonly address: string;
      readonly children: readonly Inline[];
    };

/** Deeper markup has no effect; what it contains is shown. */
const maxNesting = 16;
/** No browser opens longer addresses; what is cut opens nothing. */
const maxAddressUnits = 10_000;

/**
 * Reads a line as the pieces that are shown of it. Tags that are not known vanish, but what they contain is shown. Linear in
 * the length of the line.
 */
export function inlineTree(line: string): readonly Inline[] {
  const { pieces, spans } = readInline(line, 0, line.length);
  const elements = [...spans.map((span) => elementOf(line, span)), ...taggedElements(line, pieces)];
  return new TreeBuilder(elements).build(line, pieces);
}

/** The text of pieces, without markup. */
export function textOf(pieces: readonly Inline[]): string {
  return pieces
    .map((piece) => {
      if ("text" in piece) return piece.text;
      return piece.kind === "break" ? " " : textOf(piece.children);
    })
    .join("");
}

type Container = Extract<Inline, { children: readonly Inline[] }>;

/** A link, mention or style, from one piece of a line to another. */
interface Element {
  readonly kind: Container["kind"];
  readonly address: string;
  readonly open: Piece;
  readonly close: Piece;
}

function elementOf(line: string, { kind, open, close, addressStart, addressEnd }: Span): Element {
  const source = line.slice(addressStart, Math.min(addressEnd, addressStart + maxAddressUnits));
  return { kind, address: unescaped(source.replace(/(?<!\s)\s+"[^"]*"$/, "").trim()), open, close };
}

/** Tags whose address is a page or database. */
const pageTags: ReadonlySet<string> = new Set([
  "mention-page",
  "mention-database",
  "mention-data-source",
  "page",
  "database",
]);

const isClosing = (source: string) => source.startsWith("</");
const addressOf = (attributes: Attributes) => attributes.get("url") ?? attributes.get("src") ?? "";

/** The elements that tags begin and end: those with an address, and underlined text. */
function* taggedElements(line: string, pieces: readonly Piece[]): Generator<Element> {
  const open = new Map<string, Piece[]>();
  for (const piece of pieces) {
    if (piece.kind !== "tag") continue;
    const source = line.slice(piece.start, piece.end);
    if (!isClosing(source)) {
      if (source.endsWith("/>")) continue;
      const before = open.get(piece.name);
      if (before === undefined) open.set(piece.name, [piece]);
      else before.push(piece);
      continue;
    }
    const opening = open.get(piece.name)?.pop();
    const element = opening === undefined ? null : taggedElement(line, opening, piece);
    if (element !== null) yield element;
  }
}

function taggedElement(line: string, open: Piece, close: Piece): Element | null {
  const attributes = attributesOf(line.slice(open.start, open.end));
  if (open.name === "span" && attributes.get("underline") === "true")
    return { kind: "underlined", address: "", open, close };
  const address = addressOf(attributes);
  if (address === "") return null;
  return { kind: pageTags.has(open.name) ? "mention" : "link", address, open, close };
}

/** An element whose end has not come yet. */
interface Frame {
  readonly element: Element;
  /** Those of the frame around this one, if this one is nested too deeply. */
  readonly children: Inline[];
  /** Whether the element has ended without effect, in the middle of one with an address. */
  isCrossed: boolean;
}

/**
 * Nests elements. Of two that cross, one has no effect, but what it contains is shown: a style if the other has an address;
 * of two with an address, the one that begins first; of two styles, the one that ends last.
 */
class TreeBuilder {
  readonly #openedBy: ReadonlyMap<Piece, readonly Element[]>;
  readonly #closedBy: ReadonlyMap<Piece, readonly Element[]>;
  readonly #root: Inline[] = [];
  readonly #frames: Frame[] = [];
  readonly #levels = new Map<Element, number>();
  /** The levels of frames with an address, the innermost last. */
  readonly #addressed: number[] = [];

  constructor(elements: readonly Element[]) {
    this.#openedBy = Map.groupBy(elements, ({ open }) => open);
    this.#closedBy = Map.groupBy(elements, ({ close }) => close);
  }

  build(line: string, pieces: readonly Piece[]): readonly Inline[] {
    for (const piece of pieces) {
      for (const element of this.#closedBy.get(piece) ?? []) this.#end(element);
      const leaf = leafOf(line, piece);
      if (leaf !== null) append(this.#children, leaf);
      // Elements are in the order of their ends, so the outermost is the last.
      for (const element of this.#openedBy.get(piece)?.toReversed() ?? []) this.#begin(element);
    }
    return this.#root;
  }

  get #children(): Inline[] {
    return this.#frames.at(-1)?.children ?? this.#root;
  }

  #begin(element: Element): void {
    const level = this.#frames.length;
    const children = level < maxNesting ? [] : this.#children;
    this.#levels.set(element, level);
    if (!styles.has(element.kind)) this.#addressed.push(level);
    this.#frames.push({ element, children, isCrossed: false });
  }

  #end(element: Element): void {
    const level = this.#levels.get(element) ?? -1;
    const frame = this.#frames[level];
    if (frame?.element !== element) return;
    if ((this.#addressed.at(-1) ?? -1) > level) {
      frame.isCrossed = true;
      return;
    }
    while (this.#frames.length > level + 1) this.#close(false);
    this.#close(true);
    while (this.#frames.at(-1)?.isCrossed === true) this.#close(false);
  }

  /** Ends the innermost frame. */
  #close(hasEffect: boolean): void {
    const frame = this.#frames.pop();
    if (this.#addressed.at(-1) === this.#frames.length) this.#addressed.pop();
    if (frame === undefined || frame.children === this.#children) return;
    const { element, children } = frame;
    for (const each of hasEffect ? [containerOf(element, children)] : children) append(this.#children, each);
  }
}

const styles: ReadonlySet<Element["kind"]> = new Set(["strong", "emphasis", "deleted", "underlined"]);

function containerOf({ kind, address }: Element, children: readonly Inline[]): Inline {
  if (kind === "link" || kind === "image" || kind === "mention" || kind === "citation")
    return { kind, address, children };
  return { kind, children };
}

/** Adds a piece; adjacent texts become one. */
function append(pieces: Inline[], piece: Inline): void {
  const last = pieces.at(-1);
  if (piece.kind !== "text" || last?.kind !== "text") pieces.push(piece);
  else pieces.splice(-1, 1, { kind: "text", text: last.text + piece.text });
}

/** Returns what a piece shows by itself; null if it shows nothing. */
function leafOf(line: string, piece: Piece): Inline | null {
  const source = line.slice(piece.start, piece.end);
  switch (piece.kind) {
    case "code":
      return { kind: "code", text: source };
    case "equation":
      return { kind: "equation", text: source.replace(/^`(.*)`$/s, "$1") };
    case "address":
      return { kind: "link", address: source, children: [{ kind: "text", text: source }] };
    case "citation":
      return { kind: "citation", address: unescaped(source), children: [] };
    case "tag":
      return isClosing(source) ? null : tagLeaf(piece.name, source);
    default:
      return source === "" ? null : { kind: "text", text: source };
  }
}

function tagLeaf(name: string, source: string): Inline | null {
  if (name === "br") return { kind: "break" };
  const attributes = attributesOf(source);
  if (name === "mention-date") return { kind: "text", text: dateOf(attributes) };
  const address = addressOf(attributes);
  if (address === "" || !source.endsWith("/>")) return null;
  const label = attributes.get("alt");
  const children: Inline[] = label === undefined ? [] : [{ kind: "text", text: label }];
  return { kind: pageTags.has(name) ? "mention" : "link", address, children };
}

function dateOf(attributes: Attributes): string {
  const [start, end] = (["start", "end"] as const).map((name) =>
    [attributes.get(name), attributes.get(`${name}Time`)].filter((each) => each !== undefined).join(" "),
  );
  return end === "" || end === undefined ? (start ?? "") : `${start} → ${end}`;
}

const unescaped = (text: string): string => text.replaceAll(/\\([!-/:-@[-`{-~])/g, "$1");

/** How a stretch of text is set. */
export interface Marks {
  readonly bold: boolean;
  readonly italic: boolean;
  readonly strikethrough: boolean;
  readonly underline: boolean;
  readonly code: boolean;
}

export const plain: Marks = {
  bold: false,
  italic: false,
  strikethrough: false,
  underline: false,
  code: false,
};

/**
 * Where a stretch of text links to: a page or database of the workspace, or an address kept as it was written. The spans
 * of one link, set differently, share one object; two links beside each other have two, even where they lead to one page.
 */
export type Link =
  | { readonly kind: "entry"; readonly id: string }
  | { readonly kind: "address"; readonly url: string };

/** A stretch of text that is set and linked alike. */
export interface TextSpan {
  readonly kind: "text";
  readonly text: string;
  readonly marks: Marks;
  readonly link: Link | null;
}

/** A mention of a page or database. */
export interface MentionSpan {
  readonly kind: "mention";
  readonly id: string;
  readonly of: "page" | "database";
  /** The words that the author put in place of the title. */
  readonly alias: string | null;
  readonly marks: Marks;
}

/** A piece of rich text. */
export type Span = TextSpan | MentionSpan;

/** The words of rich text without marks and links; a mention without alias has none. */
export function plainText(spans: readonly Span[]): string {
  return spans.map((span) => (span.kind === "text" ? span.text : (span.alias ?? ""))).join("");
}

/** Joins neighbours that are set and linked alike, and drops empty ones. */
export function joinSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (span.kind === "text" && span.text === "") continue;
    if (last?.kind === "text" && span.kind === "text" && alike(last, span)) {
      joined[joined.length - 1] = { ...last, text: last.text + span.text };
    } else {
      joined.push(span);
    }
  }
  return joined;
}

/** Without white space at either end. */
export function trimSpans(spans: readonly Span[]): Span[] {
  const trimmed = joinSpans(spans);
  const first = trimmed[0];
  if (first?.kind === "text") trimmed[0] = { ...first, text: first.text.trimStart() };
  const last = trimmed.at(-1);
  if (last?.kind === "text") trimmed[trimmed.length - 1] = { ...last, text: last.text.trimEnd() };
  const rest = joinSpans(trimmed);
  return rest.length < trimmed.length ? trimSpans(rest) : rest;
}

function alike(a: TextSpan, b: TextSpan): boolean {
  return sameMarks(a.marks, b.marks) && a.link === b.link;
}

function sameMarks(a: Marks, b: Marks): boolean {
  return (
    a.bold === b.bold &&
    a.italic === b.italic &&
    a.strikethrough === b.strikethrough &&
    a.underline === b.underline &&
    a.code === b.code
  );
}

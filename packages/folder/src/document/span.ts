/** The formatting of a text. */
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
 * A link to a page or database, or to an address as it was written. Spans of one link share the object; adjacent links
 * have different objects, even with the same target.
 */
export type Link =
  | {
      readonly kind: "entry";
      readonly id: string;
      /** The heading that it leads to; null for the page. */
      readonly section: string | null;
    }
  | { readonly kind: "address"; readonly url: string };

/** A text with the same formatting and link throughout. */
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
  /** The text that the author wrote instead of the title. */
  readonly alias: string | null;
  /** The heading that it leads to; null for the page. */
  readonly section: string | null;
  readonly marks: Marks;
}

/** A piece of rich text. */
export type Span = TextSpan | MentionSpan;

/** Rich text as plain text. Mentions without alias are empty. */
export function plainText(spans: readonly Span[]): string {
  return spans.map((span) => (span.kind === "text" ? span.text : (span.alias ?? ""))).join("");
}

/** Joins adjacent spans with equal formatting and link, and drops empty ones. */
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

/** Removes white space at both ends. */
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

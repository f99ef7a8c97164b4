import { addressOfLink, fragmentOf, type Marks, type MentionSpan, plain, type Span } from "@clew/folder";
import type { Json, JsonObject } from "./object-json.ts";
import type { View } from "./view.ts";

/** The most UTF-16 code units in one piece of text (https://developers.notion.com/reference/request-limits). */
const longestPiece = 2000;

/** Rich text as JSON (https://developers.notion.com/reference/rich-text). */
export function richText(spans: readonly Span[], view: View): Json[] {
  return spans.flatMap((span) =>
    span.kind === "mention"
      ? [mention(span, view)]
      : pieces(span.text).map((piece) =>
          text(piece, span.link === null ? null : addressOfLink(span.link, view), span.marks),
        ),
  );
}

/** A title or name as rich text. */
export function plainRichText(words: string): Json[] {
  return pieces(words).map((piece) => text(piece, null, plain));
}

function text(content: string, url: string | null, marks: Marks): JsonObject {
  return {
    type: "text",
    text: { content, link: url === null ? null : { url } },
    annotations: annotations(marks),
    plain_text: content,
    href: url,
  };
}

function mention({ of, id, alias, section, marks }: MentionSpan, view: View): JsonObject {
  return {
    type: "mention",
    mention: { type: of, [of]: { id } },
    annotations: annotations(marks),
    plain_text: alias ?? view.titleOf(id),
    href: view.addresses.ofId(id) + fragmentOf({ section }),
  };
}

function annotations({ bold, italic, strikethrough, underline, code }: Marks): JsonObject {
  return { bold, italic, strikethrough, underline, code, color: "default" };
}

/** Cuts long text into pieces, never through a surrogate pair. */
function pieces(words: string): string[] {
  const cut: string[] = [];
  for (let start = 0; start < words.length; ) {
    const end = start + longestPiece;
    const whole = isHighSurrogate(words.charCodeAt(end - 1)) && end < words.length ? end - 1 : end;
    cut.push(words.slice(start, whole));
    start = whole;
  }
  return cut;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

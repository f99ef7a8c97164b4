/** A link as a text has it. */
export interface WrittenLink {
  readonly kind: "wiki" | "hyperlink";
  readonly target: string;
}

const patterns = [
  /\[\[(?<wiki>[^[\]|\\\n]+)/g,
  /\](?:\(|:)\s*(?:<(?<bracketed>[^<>\n]*)>|(?<bare>[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*))/g,
  /\bhref=\{?["'`](?<attribute>[^"'`\n]*)/g,
  /\{\{[<%]\s*(?:rel)?ref\s+(?:path=)?["'`]?(?<reference>[^"'`\s]+)/g,
];

/**
 * What looks like a link in a Markdown source, found without parsing it: links in code are among them, and one or the
 * other that is written oddly is not. Good to tell whether links lead elsewhere than before, and for nothing else.
 */
export function writtenLinks(source: string): readonly WrittenLink[] {
  const found = new Map<string, WrittenLink>();
  for (const pattern of patterns) {
    for (const { groups = {} } of source.matchAll(pattern)) {
      const target = Object.values(groups).find((text) => text !== undefined);
      const kind = groups.wiki === undefined ? "hyperlink" : "wiki";
      if (target !== undefined) found.set(`${kind} ${target}`, { kind, target });
    }
  }
  return [...found.values()];
}

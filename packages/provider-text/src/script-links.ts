import MarkdownIt from "markdown-it";

/** Schemes of addresses that run scripts, or may contain some. */
const scriptScheme = /^(?:javascript|vbscript|data):/i;

/** Signs that precede an address: in a link or image, a link definition, an autolink, a tag. */
const addressStart = /\]\(\s*<?|\]:\s*<?|<(?=[a-z&])|\s(?:url|src)=["']?/gi;

/** Enough characters of an address to recognise its scheme, however it is escaped. */
const schemeLookaheadChars = 100;

const { unescapeAll } = new MarkdownIt().utils;

/**
 * Removes the addresses of links that run scripts, and keeps the links' texts (ERR-6). It does so in code as well,
 * because parsers of Markdown disagree about what is code.
 */
export function withoutScriptLinks(markdown: string): string {
  let text = "";
  let copied = 0;
  for (const { 0: opening, index } of markdown.matchAll(addressStart)) {
    const start = index + opening.length;
    if (start < copied || !isScript(markdown.slice(start, start + schemeLookaheadChars))) continue;
    const isPlain = /[\]<]/.test(opening) && isEscaped(markdown, index);
    // Behind an escaped bracket, `<` begins an autolink.
    const isAutolink = isPlain ? /.</s.test(opening) : opening === "<";
    if (isPlain && !isAutolink) continue;
    if (isAutolink) {
      text += `${markdown.slice(copied, start - 1)}\\<`;
      copied = start;
    } else {
      // `[text]()` needs an empty address in brackets.
      const emptyAddress = opening.startsWith("]") && !opening.endsWith("<") ? "<>" : "";
      text += markdown.slice(copied, start) + emptyAddress;
      copied = endOfAddress(markdown, start, opening);
    }
  }
  return copied === 0 ? markdown : text + markdown.slice(copied);
}

/** Whether an address has the scheme of a script, without the characters that browsers ignore. */
function isScript(head: string): boolean {
  if (!/:|&[#\w]+;/.test(head)) return false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers ignore these
  return scriptScheme.test(unescapeAll(head).replaceAll(/[\u0000-\u0020\u007f]/g, ""));
}

/** Whether an odd number of backslashes precedes a character. */
function isEscaped(text: string, index: number): boolean {
  let first = index;
  while (first > 0 && text[first - 1] === "\\") first -= 1;
  return (index - first) % 2 === 1;
}

function endOfAddress(text: string, start: number, opening: string): number {
  const last = opening.at(-1) ?? "";
  const closing = last === "<" || last === "=" ? ">" : last;
  if (/[>"']/.test(closing)) return endAt(text, start, (character) => character === closing);
  // Parentheses in an address are balanced.
  let open = 0;
  return endAt(text, start, (character) => {
    if (character === "(") open += 1;
    if (character === ")") open -= 1;
    return open < 0 || /\s/.test(character);
  });
}

/** The end of the line, or the first character before it that ends the address. */
function endAt(text: string, start: number, ends: (character: string) => boolean): number {
  let at = start;
  while (at < text.length && text[at] !== "\n" && !ends(text.charAt(at))) at += text[at] === "\\" ? 2 : 1;
  return Math.min(at, text.length);
}

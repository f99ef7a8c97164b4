import MarkdownIt from "markdown-it";

/** Schemes of addresses that run as scripts, or hold what may. */
const script = /^(?:javascript|vbscript|data):/i;

/** What stands before an address: of a link or an image, of a link's definition, of an autolink, in a tag. */
const beforeAddress = /\]\(\s*<?|\]:\s*<?|<(?=[a-z&])|\s(?:url|src)=["']?/gi;

/** What is looked at of an address to tell its scheme, however it is written. */
const headLength = 100;

const { unescapeAll } = new MarkdownIt().utils;

/**
 * Takes their addresses from links that run scripts (ERR-6); the words that they stand on stay. So it does in code,
 * since what is code to one reader of Markdown is a link to another. An escaped bracket begins nothing.
 */
export function withoutScriptLinks(markdown: string): string {
  let text = "";
  let copied = 0;
  for (const { 0: before, index } of markdown.matchAll(beforeAddress)) {
    const start = index + before.length;
    if (start < copied || !isScript(markdown.slice(start, start + headLength))) continue;
    if (/[\]<]/.test(before) && isEscaped(markdown, index)) continue;
    const isAutolink = before === "<";
    text += markdown.slice(copied, isAutolink ? index : start) + (isAutolink ? "\\<" : emptyAfter(before));
    copied = isAutolink ? start : endOfAddress(markdown, start, before);
  }
  return copied === 0 ? markdown : text + markdown.slice(copied);
}

/** Whether an address begins with the scheme of a script, once what browsers overlook is taken away. */
function isScript(head: string): boolean {
  if (!/:|&[#\w]+;/.test(head)) return false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what browsers overlook
  return script.test(unescapeAll(head).replaceAll(/[\u0000-\u0020\u007f]/g, ""));
}

/** Whether a sign has an odd number of backslashes before it. */
function isEscaped(text: string, index: number): boolean {
  let first = index;
  while (first > 0 && text[first - 1] === "\\") first -= 1;
  return (index - first) % 2 === 1;
}

/** An address that leads nowhere, where nothing stands around it. */
function emptyAfter(before: string): string {
  return before.startsWith("]") && !before.endsWith("<") ? "<>" : "";
}

function endOfAddress(text: string, start: number, before: string): number {
  const last = before.at(-1) ?? "";
  const closing = last === "<" || last === "=" ? ">" : last;
  if (/[>"']/.test(closing)) return endAt(text, start, (sign) => sign === closing);
  // Parentheses within an address come in pairs.
  let open = 0;
  return endAt(text, start, (sign) => {
    if (sign === "(") open += 1;
    if (sign === ")") open -= 1;
    return open < 0 || /\s/.test(sign);
  });
}

/** Where a line or what ends an address comes first. */
function endAt(text: string, start: number, ends: (sign: string) => boolean): number {
  let at = start;
  while (at < text.length && text[at] !== "\n" && !ends(text.charAt(at))) at += text[at] === "\\" ? 2 : 1;
  return Math.min(at, text.length);
}

/** An HTML or JSX tag in a text. */
export interface Tag {
  /** The position after the tag. */
  readonly end: number;
  /** The tag's `href` with entities decoded; null if it has none, or loads a resource instead of linking. */
  readonly href: string | null;
}

/** Elements whose `href` loads a picture or a style sheet. */
const loading = /^<(?:use|image|link|base)$/i;
const name = /<\/?[A-Za-z][\w.:-]*|<\/?(?=>)/y;
const attributeName = /[A-Za-z_:@][\w.:@-]*/y;
const unquoted = /[^\s"'=<>`{}]+/y;
const space = /\s*/y;

/** Reads the tag that begins at `start`, attributes in quotes, braces or bare; null if there is none. */
export function readTag(text: string, start: number): Tag | null {
  let at = matchAt(name, text, start);
  if (at === null) return null;
  const isLoading = loading.test(text.slice(start, at));
  let href: string | null = null;
  for (;;) {
    const afterSpace = matchAt(space, text, at) ?? at;
    const close = /\/?>/y;
    close.lastIndex = afterSpace;
    if (close.test(text)) return { end: close.lastIndex, href: isLoading ? null : href };
    const attribute = readAttribute(text, afterSpace);
    if (attribute === null) return null;
    if (attribute.name === "href") href = attribute.value;
    at = attribute.end;
  }
}

interface Attribute {
  readonly name: string;
  readonly value: string | null;
  readonly end: number;
}

function readAttribute(text: string, start: number): Attribute | null {
  if (text[start] === "{") {
    const end = closingBrace(text, start);
    return end === null ? null : { name: "", value: null, end };
  }
  const nameEnd = matchAt(attributeName, text, start);
  if (nameEnd === null) return null;
  const attribute = text.slice(start, nameEnd);
  const equals = matchAt(/\s*=\s*/y, text, nameEnd);
  if (equals === null) return { name: attribute, value: null, end: nameEnd };
  const value = readValue(text, equals);
  return value === null ? null : { name: attribute, ...value };
}

function readValue(text: string, start: number): { value: string | null; end: number } | null {
  const first = text[start];
  if (first === '"' || first === "'") {
    const end = text.indexOf(first, start + 1);
    return end < 0 ? null : { value: decodeEntities(text.slice(start + 1, end)), end: end + 1 };
  }
  if (first === "{") {
    const end = closingBrace(text, start);
    return end === null ? null : { value: plainString(text.slice(start + 1, end - 1)), end };
  }
  const end = matchAt(unquoted, text, start);
  return end === null ? null : { value: decodeEntities(text.slice(start, end)), end };
}

/** The string in a JSX expression that is a literal: `{"/a"}`, `{'/a'}`, or a template without substitutions. */
function plainString(expression: string): string | null {
  const found = /^\s*(?:"([^"\\]*)"|'([^'\\]*)'|`([^`\\$]*)`)\s*$/.exec(expression);
  return found === null ? null : (found[1] ?? found[2] ?? found[3] ?? null);
}

/** The position after the brace that closes the one at `start`; braces in strings do not count. */
function closingBrace(text: string, start: number): number | null {
  const token = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[{}]/gs;
  token.lastIndex = start;
  let depth = 0;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    if (found[0] === "{") depth += 1;
    if (found[0] === "}") depth -= 1;
    if (depth === 0) return token.lastIndex;
  }
  return null;
}

/** Decodes the entities that occur in addresses. */
export function decodeEntities(text: string): string {
  return text
    .replace(/&#(\d{1,6});/g, (_, digits) => String.fromCodePoint(Number(digits)))
    .replace(/&#x([0-9a-f]{1,5});/gi, (_, digits) => String.fromCodePoint(Number.parseInt(digits, 16)))
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

function matchAt(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

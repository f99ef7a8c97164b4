/** The rows of a CSV file by the names in its first line (RFC 4180); throws if it is malformed. */
export function parseCsv(text: string): Record<string, string>[] {
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  const rows: string[][] = [];
  let row: string[] = [];
  while (field.lastIndex < text.length) {
    const at = field.lastIndex;
    const [, quoted, plain = "", end] = field.exec(text) ?? [];
    if (end === undefined) throw new SyntaxError(`no CSV at ${at}: ${text.slice(at, at + 40)}`);
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ",") continue;
    rows.push(row);
    row = [];
  }
  const [names = [], ...records] = rows;
  return records.map((values) => {
    if (values.length !== names.length) throw new SyntaxError(`a row has ${values.length} fields`);
    return Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
  });
}

/** The text of a cell without the apostrophe that keeps it from being a formula. */
export const withoutApostrophe = (cell: string) =>
  /^''*[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell;

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

const notInXml = /[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** A text with its references replaced; line ends are normalised before that (section 2.11). */
function decode(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replaceAll(/&(?:#(\d+)|(\w+))?;?/g, (reference, code, name) => {
    const sign = code === undefined ? named[name ?? ""] : String.fromCodePoint(Number(code));
    if (sign === undefined || !reference.endsWith(";")) throw new SyntaxError(`the reference ${reference}`);
    return sign;
  });
}

/** Parses the part of XML 1.0 that exports use, as a parser must: it throws if a document is not well-formed. */
function parseXml(document: string): Element {
  const root: Element = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  const token = /<(\/?)([\w:]+)((?:\s[\w:.]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;
  token.lastIndex = /^<\?xml [^?]*\?>\n/.exec(document)?.[0].length ?? 0;
  while (token.lastIndex < document.length) {
    const at = token.lastIndex;
    const [whole, closing, name = "", given = "", empty, text] = token.exec(document) ?? [];
    if (whole === undefined) throw new SyntaxError(`no XML at ${at}: ${document.slice(at, at + 60)}`);
    const parent = open.at(-1) ?? root;
    if (text !== undefined) parent.text += decode(text);
    else if (closing === "/") {
      if (open.pop()?.name !== name) throw new SyntaxError(`</${name}> closes nothing`);
    } else {
      const pairs = [...given.matchAll(/([\w:.]+)="([^"]*)"/g)];
      const attributes = Object.fromEntries(pairs.map(([, key = "", value = ""]) => [key, decode(value)]));
      const element = { name, attributes, children: [], text: "" };
      parent.children.push(element);
      if (empty !== "/") open.push(element);
    }
  }
  if (open.length !== 1) throw new SyntaxError("an element is not closed");
  return root;
}

type Values = Record<string, string | number>;

/** The nodes and edges of a GraphML document with their data by name, typed as its keys say. */
export function parseGraphml(document: string): { nodes: Values[]; edges: Values[] } {
  if (notInXml.test(document)) throw new SyntaxError("a character that XML cannot contain");
  const parts = parseXml(document).children[0]?.children ?? [];
  const keys = new Map(parts.filter(({ name }) => name === "key").map((key) => [key.attributes.id, key]));
  const elements = parts.filter(({ name }) => name === "graph").flatMap(({ children }) => children);
  const valuesOf = (name: string) =>
    elements.filter((element) => element.name === name).map((element) => dataOf(element, keys));
  return { nodes: valuesOf("node"), edges: valuesOf("edge") };
}

function dataOf(
  { name, attributes, children }: Element,
  keys: ReadonlyMap<string | undefined, Element>,
): Values {
  const values: Values = { ...attributes };
  for (const data of children) {
    const key = keys.get(data.attributes.key);
    if (key?.attributes.for !== name) throw new SyntaxError(`no key for ${data.attributes.key}`);
    const isText = key.attributes["attr.type"] === "string";
    values[key.attributes["attr.name"] ?? ""] = isText ? data.text : Number(data.text);
  }
  return values;
}

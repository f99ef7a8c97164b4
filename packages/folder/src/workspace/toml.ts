import { numberOr } from "./numbers.ts";

/**
 * Reads TOML front matter, as Hugo has it: strings, numbers, truths, dates (as text) and lists of those. Tables and inline tables are left
 * out (https://toml.io/en/v1.0.0). Null if a line is not TOML.
 */
export function readTomlMap(text: string): Readonly<Record<string, unknown>> | null {
  const data: Record<string, unknown> = {};
  // A table begins what is not read.
  const lines = text.split(/^[ \t]*\[/m, 1)[0] ?? "";
  let place = 0;
  while (place < lines.length) {
    entry.lastIndex = place;
    const match = entry.exec(lines);
    if (match === null) return null;
    const [whole, name, value] = match;
    if (name !== undefined && value !== undefined) data[unquoted(name)] = readValue(value.trim());
    place += Math.max(1, whole.length);
  }
  return data;
}

const string = `"""[\\s\\S]*?"""|'''[\\s\\S]*?'''|"(?:[^"\\\\\\n]|\\\\.)*"|'[^'\\n]*'`;
const list = `\\[(?:${string}|#[^\\n]*|[^\\]"'#])*\\]`;
/** A blank line, a comment, or a name with a value; a list may span lines. */
const entry = new RegExp(
  `[ \\t]*(?:#[^\\n]*|([\\w-]+|"[^"\\n]*")[ \\t]*=[ \\t]*(${list}|${string}|[^\\n#"'\\[]+)[ \\t]*(?:#[^\\n]*)?)?(?:\\n|$)`,
  "y",
);
const item = new RegExp(`(${string})|#[^\\n]*|([^\\s,\\[\\]]+)`, "g");

function readValue(text: string): unknown {
  if (text.startsWith("["))
    return [...text.matchAll(item)].flatMap(([, quoted, bare]) => {
      const one = quoted ?? bare;
      return one === undefined ? [] : [readValue(one)];
    });
  if (/^["']/.test(text)) return unquoted(text);
  if (text === "true" || text === "false") return text === "true";
  const number = text.replaceAll("_", "");
  return /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(number) ? numberOr(text, Number(number)) : text;
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "", b: "", f: "" };

function unquoted(text: string): string {
  if (/^(?:'''|""")/.test(text)) return text.slice(3, -3).replace(/^\n/, "");
  if (text.startsWith("'")) return text.slice(1, -1);
  if (!text.startsWith('"')) return text;
  return text
    .slice(1, -1)
    .replace(
      /\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|(.))/g,
      (_, short?: string, long?: string, sign = "") => {
        const hex = short ?? long;
        if (hex === undefined) return escapes[sign] ?? sign;
        const code = Number.parseInt(hex, 16);
        return code <= 0x10ffff ? String.fromCodePoint(code) : "";
      },
    );
}

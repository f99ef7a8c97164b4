import { stripVTControlCharacters } from "node:util";
import { withInvisibleEscaped } from "@clew/contract/hidden-characters";

/** Rows of the same columns as lines of text, each column as wide as its widest cell. */
export function table(rows: readonly Readonly<Record<string, string>>[]): string[] {
  const [first] = rows;
  if (first === undefined) return [];
  const columns = Object.keys(first);
  const lines = [columns, ...rows.map((row) => Object.values<string>(row).map(plainText))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => widthOf(line[index] ?? ""))));
  return lines.map((line) =>
    line
      .map((cell, index) => padded(cell, widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/**
 * A text that is safe for a terminal. Names from people and providers may contain anything: terminal sequences and
 * control characters are removed, and other invisible characters are escaped.
 */
export function plainText(text: string): string {
  return withInvisibleEscaped(stripVTControlCharacters(text).replaceAll(/\p{Cc}/gu, " "));
}

const byteUnits = ["B", "kB", "MB", "GB", "TB"];

/** A number of bytes as people read it, in decimal units: `0 B`, `1.2 kB`, `35 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // A value that rounds to 1000 belongs to the next unit.
  while (value >= 999.5 && unit < byteUnits.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit > 0 && value < 9.95 ? 1 : 0;
  return `${value.toFixed(digits)} ${byteUnits[unit]}`;
}

const padded = (text: string, width: number) => text + " ".repeat(width - widthOf(text));

/** The columns of a terminal that a text takes: two for an East Asian character or an emoji, none for a mark on another character. */
export function widthOf(text: string): number {
  return charactersOf(text).reduce((width, character) => width + columnsOf(character), 0);
}

/** The beginning of a text that takes no more than this many columns. */
export function cutTo(text: string, columns: number): string {
  let width = 0;
  let beginning = "";
  for (const character of charactersOf(text)) {
    width += columnsOf(character);
    if (width > columns) break;
    beginning += character;
  }
  return beginning;
}

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The characters of a text, as a reader counts them. */
const charactersOf = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment);

const columnsOf = (character: string): number => (isWide.test(character) ? 2 : 1);

/** Characters of two columns: the East Asian ones but for those of half width, and emoji. */
const isWide =
  /(?![\uff61-\uffdc])[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\ufe0f/u;

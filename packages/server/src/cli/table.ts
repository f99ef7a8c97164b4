import { stripVTControlCharacters } from "node:util";
import { withInvisibleEscaped } from "../auth/visible-text.ts";

/** Rows of the same columns as lines of text, each column as wide as its widest cell. */
export function table<Column extends string>(rows: readonly Readonly<Record<Column, string>>[]): string[] {
  const [first] = rows;
  if (first === undefined) return [];
  const columns = Object.keys(first) as Column[];
  const lines = [
    columns as readonly string[],
    ...rows.map((row) => columns.map((column) => plainText(row[column]))),
  ];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => [...(line[index] ?? "")].length)));
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

const padded = (text: string, width: number) => text + " ".repeat(width - [...text].length);

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
 * A text as a terminal may show it. What people or the provider have named may hold anything: terminal sequences and
 * control characters are left out, so that a name cannot speak to the terminal; other invisible ones are written out.
 */
export function plainText(text: string): string {
  return withInvisibleEscaped(stripVTControlCharacters(text).replaceAll(/\p{Cc}/gu, " "));
}

const padded = (text: string, width: number) => text + " ".repeat(width - [...text].length);

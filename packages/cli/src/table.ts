import { stripVTControlCharacters } from "node:util";
import { withInvisibleEscaped } from "@clew/contract/hidden-characters";

/** Rows of the same columns as lines of text, each column as wide as its widest cell. */
export function table(rows: readonly Readonly<Record<string, string>>[]): string[] {
  const [first] = rows;
  if (first === undefined) return [];
  const columns = Object.keys(first);
  const lines = [columns, ...rows.map((row) => Object.values<string>(row).map(plainText))];
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

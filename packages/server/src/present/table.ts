import { isJsonList, type Json } from "../model/node.ts";
import { plainText } from "../model/plain-value.ts";
import { csvLine } from "./csv.ts";

/** A table: its first row has the names of the columns. */
export type Table = readonly (readonly Json[])[];

/** A table as CSV. Numbers are as they are, and all else is text. */
export function presentCsv(table: Table): string {
  return table
    .map((row) => csvLine(row.map((cell) => (typeof cell === "number" ? cell : cellText(cell)))))
    .join("");
}

/** A table as Markdown (GitHub's tables): each row is a line. */
export function presentMarkdownTable(table: Table): string {
  const lines = table.map((row) => `| ${row.map(markdownCell).join(" | ")} |\n`);
  const rule = `|${" --- |".repeat(table[0]?.length ?? 0)}\n`;
  return [...lines.slice(0, 1), rule, ...lines.slice(1)].join("");
}

const lineEnd = /[\n\r\v\f\u0085\u2028\u2029]/;

function markdownCell(cell: Json): string {
  return cellText(cell)
    .replaceAll(/[\\|<]/g, "\\$&")
    .trim()
    .replaceAll(/[\s\u0085]+/g, (spaces) => (lineEnd.test(spaces) ? "<br>" : spaces));
}

/** A cell as text: a relation by its title or else its id, any other value as plain text. */
function cellText(cell: Json): string {
  if (isJsonList(cell)) return cell.map(cellText).join(", ");
  if (typeof cell !== "object" || cell === null || !("title" in cell)) return plainText(cell);
  return cellText(cell.title || (cell.id ?? null));
}

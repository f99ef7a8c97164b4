import type { ReadingContext } from "./connect.ts";
import { cutTo, plainText, table, widthOf } from "./table.ts";

/** The options of every command that prints items. */
export interface Printing {
  readonly json?: boolean;
}

/** A row of a table: what a person sees of an item. */
export type Row = Readonly<Record<string, string>>;

/** Writes to standard output, and waits while its reader is slower. */
export async function write({ stdout }: Pick<ReadingContext, "stdout">, text: string): Promise<void> {
  if (stdout.write(text)) return;
  await new Promise((resolve, reject) => stdout.once("drain", resolve).once("error", reject));
}

/** Whether a command writes for a person rather than for a program. */
export const isForPeople = ({ stdout }: Pick<ReadingContext, "stdout">, json: boolean | undefined): boolean =>
  stdout.isTTY === true && json !== true;

/** A line of JSON in which everything that could control a terminal is escaped. */
export function jsonLine(value: unknown): string {
  const text = JSON.stringify(value).replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (sign) =>
      `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}${sign.length > 1 ? `\\u${sign.charCodeAt(1).toString(16)}` : ""}`,
  );
  return `${text}\n`;
}

const minColumnWidth = 12;

/** Rows as a table that fits the terminal: the cells of the column `wide` are cut. */
export function tableText(rows: readonly Row[], wide: string, columns: number): string {
  const lines = table(rows);
  const longest = Math.max(0, ...lines.map(widthOf));
  const width = Math.max(wide.length, ...rows.map((row) => widthOf(plainText(row[wide] ?? ""))));
  const room = Math.max(minColumnWidth, width - (longest - columns));
  const cut = (text: string) => {
    const plain = plainText(text);
    return widthOf(plain) <= room ? plain : `${cutTo(plain, room - 1)}…`;
  };
  const fitting =
    longest <= columns ? lines : table(rows.map((row) => ({ ...row, [wide]: cut(row[wide] ?? "") })));
  return fitting.map((line) => `${line}\n`).join("");
}

/** A text of several lines that is safe for a terminal. */
export function safeText(text: string): string {
  return text
    .split(/\r\n|[\r\n]/)
    .map((line) => line.split("\t").map(plainText).join("\t"))
    .join("\n");
}

/** A value of a property as a cell: a relation by its title or else its id, a range of dates as `start/end`. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(cellText).join(", ");
  if (typeof value !== "object") return String(value);
  const { id, title, start, end }: { id?: unknown; title?: unknown; start?: unknown; end?: unknown } = value;
  if (title !== undefined) return cellText(title || id);
  if (start === undefined) return JSON.stringify(value);
  return [start, end ?? []].flat().map(cellText).join("/");
}

export const minute = (time: string) => time.slice(0, 16).replace("T", " ");

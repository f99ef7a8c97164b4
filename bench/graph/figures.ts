import type { Timing } from "./measure.ts";

/** A duration in a readable unit: `13 µs`, `4.6 ms`, `1.2 s`. */
export function duration(microseconds: number): string {
  if (microseconds < 1_000) return `${digits(microseconds)} µs`;
  if (microseconds < 1_000_000) return `${digits(microseconds / 1_000)} ms`;
  return `${digits(microseconds / 1_000_000)} s`;
}

export const megabytes = (bytes: number) => `${digits(bytes / 1e6)} MB`;

/** Times of an operation, with the number of operations if it is below 1000. */
export function timing(measured: Timing | undefined): string {
  if (measured === undefined) return "–";
  const { operations, p50, p99, max } = measured;
  const few = operations < 1000 ? ` (${operations})` : "";
  return `${duration(p50)} · ${duration(p99)} · ${duration(max)}${few}`;
}

export const count = (number: number) => number.toLocaleString("en-US");

const digits = (figure: number) => (figure >= 100 ? Math.round(figure) : Number(figure.toPrecision(2)));

/** A Markdown table. The first column is aligned to the left, the others to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, column) => (column === 0 ? "---" : "---:"))), ...rows.map(line)].join(
    "\n",
  );
}

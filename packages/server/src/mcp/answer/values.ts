import { parseNodeId } from "@clew/graph";
import type { ReadableGraph } from "../../graphs/readable.ts";
import { oneLine, pageName } from "../../operations/page-names.ts";

type Graphs = readonly ReadableGraph[];

/** Tokens of a property's value. */
export const maxValue = 60;
const maxValues = 8;

/** A property's value on one line; pages in relations by name. */
export function valueText(graphs: Graphs, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return listText(graphs, value);
  if (typeof value === "object") return objectText(value);
  const text = oneLine(String(value), maxValue);
  const id = parseNodeId(text);
  const page = id === null ? null : (graphs.find(({ graph }) => graph.has(id))?.graph.node(id) ?? null);
  return page === null ? text : pageName(graphs, page);
}

function listText(graphs: Graphs, values: readonly unknown[]): string {
  const shown = values.slice(0, maxValues).map((item) => valueText(graphs, item));
  const more = values.length > maxValues ? [`and ${values.length - maxValues} more`] : [];
  return [...shown.filter((text) => text !== ""), ...more].join(", ");
}

/** A date, or a page of a relation. */
function objectText(value: object): string {
  const { start, end, title } = value as Readonly<Record<string, unknown>>;
  if (title === null) return "(not shared)";
  if (typeof title === "string") return oneLine(title) || "Untitled";
  if (typeof start !== "string") return oneLine(JSON.stringify(value), maxValue);
  return typeof end === "string" ? `${start} – ${end}` : start;
}

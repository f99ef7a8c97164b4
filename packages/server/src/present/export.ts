import type { Edge, ExportedBroken, ExportedNode, ExportFormat, ExportQuery } from "@clew/contract";
import { csvLine } from "./csv.ts";

/** Writes an export: its start, a text for each node and edge, and its end. */
export interface ExportWriter {
  readonly start: string;
  node(node: ExportedNode): string;
  edge(edge: Edge): string;
  broken(reference: ExportedBroken): string;
  end(counts: ExportCounts): string;
}

/** The numbers of items in an export; `broken` only if these are its part. */
export interface ExportCounts {
  nodes: number;
  edges: number;
  broken?: number;
}

/** The writer of a format. `part` is the table of a CSV file. */
export function exportWriter(format: ExportFormat, part: ExportQuery["part"]): ExportWriter {
  if (format === "jsonl") return jsonl;
  return format === "csv" ? csvOf(columnsOf[part ?? "nodes"]) : graphml;
}

const line = (value: object) => `${JSON.stringify(value)}\n`;

/** JSON lines (jsonlines.org), whose last one says that the export is whole. */
const jsonl: ExportWriter = {
  start: "",
  node: (node) => line({ node }),
  edge: (edge) => line({ edge }),
  broken: (reference) => line({ broken: reference }),
  end: (counts) => line({ end: counts }),
};

const nodeColumns = [
  "id",
  "workspace_id",
  "type",
  "title",
  "icon",
  "url",
  "parent_id",
  "created_at",
  "updated_at",
  "created_by",
  "edited_by",
  "degree_in",
  "degree_out",
  "importance",
  "properties",
] as const;

const edgeColumns = ["from", "to", "type", "name", "count"] as const;

const brokenColumns = ["from", "type", "target_id", "name", "count"] as const;

const columnsOf = { nodes: nodeColumns, edges: edgeColumns, broken: brokenColumns } as const;

type Field = (typeof columnsOf)[keyof typeof columnsOf][number];
type Fields = Readonly<Partial<Record<Field, string | number | null>>>;

/** The name of an author; the id if the provider does not give it. */
const nameOf = (author: ExportedNode["created_by"]) => author?.name ?? author?.id ?? null;

const fieldsOfNode = ({ degree, properties, created_by, edited_by, ...fields }: ExportedNode): Fields => ({
  ...fields,
  created_by: nameOf(created_by),
  edited_by: nameOf(edited_by),
  properties: JSON.stringify(properties),
  degree_in: degree.in,
  degree_out: degree.out,
});

/** CSV with a line of names first (RFC 4180). */
function csvOf(columns: readonly Field[]): ExportWriter {
  const row = (fields: Fields) => csvLine(columns.map((column) => fields[column] ?? ""));
  return {
    start: csvLine(columns),
    node: (node) => row(fieldsOfNode(node)),
    edge: (edge) => row({ ...edge }),
    broken: (reference) => row(reference),
    end: () => "",
  };
}

/** The types of what is no text. */
const numbers = new Map<Field, string>([
  ["degree_in", "long"],
  ["degree_out", "long"],
  ["importance", "double"],
  ["count", "long"],
]);

/** Fields that are attributes of elements instead. */
const structural: ReadonlySet<Field> = new Set(["id", "from", "to"]);

/** The fields of nodes and edges have keys of their own: both have a type. */
const keysOf = (scope: "node" | "edge", columns: readonly Field[]) =>
  columns
    .filter((field) => !structural.has(field))
    .map((field) => {
      const type = numbers.get(field) ?? "string";
      return `<key id="${scope}_${field}" for="${scope}" attr.name="${field}" attr.type="${type}"/>\n`;
    })
    .join("");

/** Null is a missing element. */
function dataOf(scope: "node" | "edge", columns: readonly Field[], fields: Fields): string {
  let elements = "";
  for (const field of columns) {
    const value = fields[field] ?? null;
    if (value === null || structural.has(field)) continue;
    elements += `<data key="${scope}_${field}">${typeof value === "number" ? value : xmlText(value)}</data>`;
  }
  return elements;
}

/** GraphML 1.0. Ids are UUIDs, which need no escaping. */
const graphml: ExportWriter = {
  start:
    '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n' +
    `${keysOf("node", nodeColumns)}${keysOf("edge", edgeColumns)}<graph edgedefault="directed">\n`,
  node: (node) => `<node id="${node.id}">${dataOf("node", nodeColumns, fieldsOfNode(node))}</node>\n`,
  edge: (edge) =>
    `<edge source="${edge.from}" target="${edge.to}">${dataOf("edge", edgeColumns, { ...edge })}</edge>\n`,
  broken: () => "",
  end: () => "</graph>\n</graphml>\n",
};

const entities = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  // A parser would turn it into a line feed.
  ["\r", "&#13;"],
]);

/** Replaces characters that XML 1.0 cannot contain, not even as a reference, by U+FFFD (XML 1.0, section 2.2). */
function xmlText(text: string): string {
  return text
    .replaceAll(/[&<>\r]/g, (sign) => entities.get(sign) ?? sign)
    .replaceAll(/[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD");
}

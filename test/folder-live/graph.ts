import { isDeepStrictEqual } from "node:util";
import type { Client } from "@clew/client";
import type { Edge, ExportedBroken, ExportedNode } from "@clew/contract";

/** A graph as a Clew exports it: all nodes, texts and links. */
export interface Graph {
  readonly nodes: ReadonlyMap<string, ExportedNode>;
  /** Texts by the ids of their nodes. */
  readonly texts: ReadonlyMap<string, string>;
  readonly edges: readonly Edge[];
  readonly broken: readonly ExportedBroken[];
}

/** Reads all that a token opens. */
export async function readGraph(client: Client): Promise<Graph> {
  const nodes = new Map<string, ExportedNode>();
  const texts = new Map<string, string>();
  const edges: Edge[] = [];
  const broken: ExportedBroken[] = [];
  for await (const item of client.exportGraph({ text: true })) {
    if ("node" in item) nodes.set(item.node.id, item.node);
    if ("text" in item) texts.set(item.text.node_id, item.text.markdown);
    if ("edge" in item) edges.push(item.edge);
  }
  for await (const item of client.exportGraph({ part: "broken" }))
    if ("broken" in item) broken.push(item.broken);
  return { nodes, texts, edges, broken };
}

/** A page or database by its place: ids of a fresh import are other ones. */
export interface Place {
  readonly id: string;
  readonly kind: "page" | "database";
  readonly path: string;
  /** The path of the file with its text; null for a folder without one. */
  readonly file: string | null;
}

/**
 * A graph with places for ids, so that two with the same files are equal. It lacks the times of edits, which may be later than a
 * fresh import says, the times of folders without a text, which have no use, and importance, whose last digit depends on the
 * order of ids.
 */
export function byPlace(graph: Graph, places: readonly Place[]): Readonly<Record<string, unknown>> {
  const known = new Map(places.map((place) => [place.id, place]));
  const nameOf = (id: string) => {
    const place = known.get(id);
    return place === undefined ? "nothing" : `${place.kind} ${place.path}`;
  };
  const named = <T>(value: T): T => JSON.parse(withNames(JSON.stringify(value), nameOf));
  const shown: Record<string, unknown> = {};
  for (const node of graph.nodes.values()) {
    const { importance: _, updated_at: __, created_at, ...rest } = node;
    const hasFile = known.get(node.id)?.file !== null;
    const text = graph.texts.get(node.id) ?? null;
    shown[nameOf(node.id)] = named({ ...rest, ...(hasFile && { created_at }), text });
  }
  const edges = graph.edges.map((edge) => JSON.stringify(named(edge)));
  const broken = graph.broken.map((one) => JSON.stringify(named(one)));
  return { count: graph.nodes.size, ...shown, edges: edges.sort(), broken: broken.sort() };
}

/** Names what ids stand for: as they are, without dashes in the addresses of texts, and those of blocks. */
function withNames(json: string, nameOf: (id: string) => string): string {
  const dashed = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return json
    .replaceAll(/#[\da-f]{32}\b/g, "#block")
    .replaceAll(/\/([\da-f]{32})\b/g, (_, hex: string) => `/${nameOf(dashed(hex))}`)
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, nameOf);
}

/** The names at which two records differ. */
export function differences(
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
): string[] {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].filter((name) => !isDeepStrictEqual(a[name], b[name]));
}

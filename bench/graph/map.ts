import { cpus, loadavg } from "node:os";
import { resolve } from "node:path";
import { buildColumns, folderMapOf, Graph, type GraphColumns, linkMapOf, withColour } from "@clew/graph";
import { rowsOf } from "@clew/graph/testing";
import { seededRandom } from "@clew/stand-in/testing/random";
import type { GraphInput } from "../../packages/graph/src/testing/graph-input.ts";
import { changed } from "../../packages/graph/src/testing/linked-groups.ts";
import {
  emptyShares,
  linkedDistance,
  outsideCount,
  radiusDeviation,
  samePages,
  stayedShare,
} from "../../packages/graph/src/testing/map-figures.ts";
import { type ReadMap, readMap } from "../../packages/graph/src/testing/read-map.ts";
import { openClew } from "../retrieval/served.ts";
import { cpuMs } from "../text/cpu.ts";
import { count, table } from "./figures.ts";
import { rowsInMemory } from "./workspace/rows.ts";
import { makeWorkspace } from "./workspace/workspace.ts";

/**
 * Measures maps (GRAPH-30): `npm run bench map [-- <folder>…]`. Without folders it looks at the demo workspace; it always looks at
 * generated workspaces of SIZES pages. NAMES=1 lists the names of all regions, to be judged by reading them.
 */
const sizes = (process.env.SIZES ?? "100000,1000000").split(",").filter(Boolean).map(Number);
const seed = Number(process.env.SEED ?? 1);
const folders = process.argv.slice(2);

/** The aims of the figures, as docs/decisions/0084-map-by-links.md states them. */
const pictures = [
  [1150, 572],
  [800, 800],
] as const;

const rows: string[][] = [];
for (const folder of folders.length === 0 ? [undefined] : folders) {
  const input = await inputOf(folder);
  const graph = new Graph(buildColumns(rowsOf(input)));
  const after = new Graph(buildColumns(rowsOf(changed(input, 0.01, seed))));
  measure(folder ?? "demo", graph.columns, { graph, after });
}
for (const size of sizes) measure("generated", buildColumns(rowsInMemory(makeWorkspace(seed, size))), null);

console.log(
  `${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}. Outside: the share of cells of 32 pixels that no region touches, and of those ` +
    "whose middle is in none. Linked: the mean distance of linked pages over that of random pairs. Stayed: the share of pages " +
    "that moved less than 2 % of the width after 1 % of changes.\n",
);
const head = [
  "workspace",
  "pages",
  "map by",
  "regions",
  ...pictures.map((size) => `outside ${size.join("×")}`),
];
console.log(table([...head, "radius", "linked", "stayed", "processor"], rows));

function measure(
  name: string,
  columns: GraphColumns,
  change: { readonly graph: Graph; readonly after: Graph } | null,
): void {
  for (const kind of ["links", "folders"] as const) {
    const began = cpuMs();
    const made =
      kind === "links" ? linkMapOf(columns, 1, null) : { map: folderMapOf(columns, 1), state: null };
    const ms = cpuMs() - began;
    const map = readMap(withColour(made.map, "region"));
    if (outsideCount(map) > 0) throw new Error(`${outsideCount(map)} pages lie outside of their regions`);
    const later = change === null ? null : mapAfter(change.after.columns, made.state);
    rows.push([
      name.split("/").at(-1) ?? name,
      count(map.count),
      kind,
      `${map.regions.filter(({ level }) => level === 1).length} + ${map.regions.filter(({ level }) => level === 2).length}`,
      ...pictures.map(([width, height]) => outside(map, width, height)),
      `± ${percent(radiusDeviation(map))}`,
      linkedDistance(map, columns, seededRandom(seed)).toFixed(2),
      change === null || later === null
        ? ""
        : percent(stayedShare(map, later, samePages(change.graph, change.after))),
      `${(ms / 1000).toFixed(2)} s`,
    ]);
    if (process.env.NAMES === "1")
      for (const { level, pages, name: title } of map.regions)
        console.log(`${"  ".repeat(level)}${pages} ${title}`);
  }
}

function mapAfter(columns: GraphColumns, state: Uint8Array | null): ReadMap {
  const map = state === null ? folderMapOf(columns, 2) : linkMapOf(columns, 2, state).map;
  return readMap(withColour(map, "region"));
}

function outside(map: ReadMap, width: number, height: number): string {
  const { whole, middle } = emptyShares(map, width, height);
  return `${percent(whole)}, ${percent(middle)}`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** The graph of a folder as a Clew serves it, that of the demo workspace without one. */
async function inputOf(folder: string | undefined): Promise<GraphInput> {
  const clew = await openClew(folder === undefined ? undefined : resolve(folder));
  try {
    const nodes: GraphInput["nodes"][number][] = [];
    const references: GraphInput["references"][number][] = [];
    for await (const item of clew.client.exportGraph()) {
      if ("node" in item) {
        const {
          id,
          type,
          title,
          parent_id: parentId,
          created_at: createdAt,
          updated_at: updatedAt,
        } = item.node;
        const times = { createdAt: Date.parse(createdAt), updatedAt: Date.parse(updatedAt) };
        nodes.push({ id, type, title, icon: null, url: null, parentId, ...times });
      } else if ("edge" in item && item.edge.type !== "child") {
        const { from, to: targetId, type, name, count: times } = item.edge;
        references.push({ from, reference: { type, targetId, name, count: times } });
      }
    }
    return { nodes, references };
  } finally {
    await clew.close();
  }
}

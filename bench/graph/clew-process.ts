import {
  type Graph,
  list,
  listTree,
  type NodeFilter,
  neighbors,
  paths,
  type RankKey,
  related,
  search,
} from "@clew/graph";
import { Graphs } from "../../packages/server/src/graphs/graphs.ts";
import { maxPaths } from "../../packages/server/src/operations/related.ts";
import { walkLimits } from "../../packages/server/src/operations/walks.ts";
import { openDatabase } from "../../packages/server/src/store/database.ts";
import { findConnection } from "../../packages/server/src/store/queries/connections.ts";
import { exactCpuMs } from "../text/cpu.ts";
import { residentBytes, type Timing, tell, time } from "./measure.ts";
import {
  type Pair,
  pairsAtHubs,
  type QueryKind,
  queryKinds,
  somePages,
  somePairs,
  someQueries,
} from "./queries.ts";
import { idOf, makeWorkspace, type Workspace } from "./workspace/workspace.ts";

// Loads a workspace from its database as Clew does, then measures memory and the time of each operation.
const [path = "", seed = "1", size = "1000"] = process.argv.slice(2);

const empty = await residentBytes();
const database = await openDatabase({ location: { kind: "sqlite", path } });
const connection = await findConnection(database.read, 1);
if (connection === null) throw new Error("The database has no connection.");
const began = performance.now();
const { graph } = await new Graphs({ database, clock: Date.now }).current(connection);
search(graph, { query: "plan", limit: 20 });
const loadMs = performance.now() - began;
const memoryBytes = (await residentBytes()) - empty;

const workspace = makeWorkspace(Number(seed), Number(size));
const walks = await timeWalks(graph, workspace);
const searches = await timeSearches(graph, workspace);
const lists = await timeLists(graph, workspace);
const found = Object.fromEntries(queryKinds.map((kind) => [kind, shareFound(graph, workspace, kind)]));
await database.close();
tell({ loadMs, memoryBytes, found, timings: { ...walks, ...searches, ...lists } });

async function timeWalks(on: Graph, of: Workspace): Promise<Record<string, Timing>> {
  const id = (page: number) => idOf(of, page);
  const budget = () => walkLimits(() => performance.now());
  const around = (depth: number) => (page: number) =>
    neighbors(on, id(page), { direction: "both", depth, offset: 0, limit: 50, limits: budget() });
  const between =
    (maxPaths: number) =>
    ([from, to]: Pair) =>
      paths(on, id(from), id(to), { direction: "both", maxDepth: 6, maxPaths, limits: budget() });
  const pages = { measured: somePages(of, 1), warmUp: somePages(of, 2) };
  const pairs = { measured: somePairs(of, 1), warmUp: somePairs(of, 2) };
  const atHubs = { measured: pairsAtHubs(of, 1), warmUp: pairsAtHubs(of, 2) };
  const hubs = { measured: Array.from({ length: 15 }, () => of.hubs).flat(), warmUp: of.hubs };
  return {
    "neighbours, 1 step": await time(pages, around(1)),
    "neighbours of hubs, 1 step": await time(hubs, around(1)),
    "neighbours, 3 steps": await time(pages, around(3)),
    "shortest path": await time(pairs, between(1)),
    "shortest path beside hubs": await time(atHubs, between(1)),
    "5 shortest paths": await time(pairs, between(5)),
  };
}

/** Operations that take milliseconds, in processor time. */
async function timeLists(on: Graph, of: Workspace): Promise<Record<string, Timing>> {
  const pages = { measured: somePages(of, 3), warmUp: somePages(of, 4) };
  const hubs = { measured: Array.from({ length: 5 }, () => of.hubs).flat(), warmUp: of.hubs };
  const relatedTo = (page: number) => {
    const limits = { ...walkLimits(() => performance.now()), visits: maxPaths };
    return related(on, idOf(of, page), { linked: false, limit: 10, limits });
  };
  const listed = (page: number) =>
    list(on, { filter: filterOf(on, of, page), sort: "updated", order: "desc", limit: 20 });
  const tree = (page: number) =>
    page % 2 === 0
      ? listTree(on, { depth: 2, from: page, limit: 200 })
      : listTree(on, { depth: 10, under: idOf(of, page), limit: 500 });
  return {
    related: await time(pages, relatedTo, exactCpuMs),
    "related to hubs": await time(hubs, relatedTo, exactCpuMs),
    filters: await time(pages, listed, exactCpuMs),
    tree: await time(pages, tree, exactCpuMs),
  };
}

/** Alternates the filters. The page is one to list below, or one whose time divides the others. */
function filterOf(on: Graph, of: Workspace, page: number): NodeFilter {
  const { updatedAt } = on.columns.nodes;
  const since = updatedAt[page];
  const filters: readonly NodeFilter[] = [
    { type: "page" },
    { type: "database" },
    { under: idOf(of, page) },
    { updatedAfter: since },
    { createdBefore: since, type: "page" },
    { is: ["orphan"] },
    { is: ["unreferenced"], isNot: ["dead_end"] },
    { is: ["broken"], updatedAfter: since },
  ];
  return filters[page % filters.length] ?? {};
}

async function timeSearches(on: Graph, of: Workspace): Promise<Record<string, Timing>> {
  const find = (query: string) => search(on, { query, limit: 20 });
  const timings: Record<string, Timing> = {};
  const mix = { measured: [] as string[], warmUp: [] as string[] };
  for (const kind of queryKinds) {
    const queries = { measured: someQueries(of, kind, 1), warmUp: someQueries(of, kind, 2) };
    timings[`search: ${kind}`] = await time(queries, find);
    mix.measured.push(...someQueries(of, kind, 3).slice(0, 200));
    mix.warmUp.push(...queries.warmUp.slice(0, 25));
  }
  timings["search: deep page"] = await time(deepPages(on, of), ({ query, after }) =>
    search(on, { query, after, limit: 20 }),
  );
  return {
    "search: all kinds": await time({ ...mix, measured: interleaved(mix.measured) }, find),
    ...timings,
  };
}

/** The share of the first 20 queries of a kind that have a match. */
function shareFound(on: Graph, of: Workspace, kind: QueryKind): number {
  const queries = someQueries(of, kind, 1).slice(0, 20);
  return queries.filter((query) => search(on, { query, limit: 1 }).length > 0).length / queries.length;
}

/** Queries with the cursor of their tenth page of results, or of their last page if they have fewer. */
function deepPages(on: Graph, of: Workspace) {
  const questions = someQueries(of, "two letters", 4)
    .slice(0, 40)
    .map((query) => {
      let after: RankKey | undefined;
      for (let page = 1; page < 10; page += 1)
        after = search(on, { query, after, limit: 20 }).at(-1)?.key ?? after;
      return { query, after };
    });
  return { measured: Array.from({ length: 30 }, () => questions).flat(), warmUp: questions };
}

/** Alternates the kinds, as queries of many users do. */
function interleaved(queries: readonly string[]): string[] {
  const kinds = queryKinds.length;
  const each = queries.length / kinds;
  return queries.map((_, index) => queries[(index % kinds) * each + Math.floor(index / kinds)] ?? "");
}

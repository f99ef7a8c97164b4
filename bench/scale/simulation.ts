import { createHash } from "node:crypto";
import { buildColumns, Graph } from "@clew/graph";
import { rowsOf } from "@clew/graph/testing";
import type { Random } from "@clew/stand-in/testing/random";
import { createGraphCache } from "../../packages/server/src/graphs/graph-cache.ts";
import { noTexts } from "../../packages/server/src/texts/text-snapshots.ts";
import { type Cluster, graphBytes } from "./model.ts";
import type { Population } from "./population.ts";

/*
 * Requests at random times, a ring of hashes as in the proxies, and the server's own cache of graphs. Only the graphs are
 * not real.
 */

/** The instances restart one after the other: each is away for a while, and comes back without any graph. */
interface Restarts {
  /** The first restart, in seconds after the warm-up, and the time from one to the next. */
  readonly everyS: number;
  readonly awayS: number;
}

interface Simulated {
  /** Requests after the cache has filled, and those that found no graph. */
  readonly requests: number;
  readonly misses: number;
  /** The share of requests that the busiest instance got. */
  readonly largestShare: number;
}

interface Settings extends Cluster {
  readonly warmUpS: number;
  readonly measuredS: number;
  readonly restarts?: Restarts;
}

export function simulate(random: Random, { workspaces }: Population, settings: Settings): Simulated {
  const { instances, tokensPerUser, graphBudget, warmUpS, measuredS, restarts } = settings;
  const ring = createRing(instances);
  const tokens = workspaces.flatMap(({ pages, rate }, connection) =>
    Array.from({ length: tokensPerUser }, (_, token) => ({
      connection,
      bytes: graphBytes(pages),
      rate: rate / tokensPerUser,
      hash: hashOf(`token ${connection}.${token}`),
    })),
  );
  const choose = chooser(tokens.map(({ rate }) => rate));
  const totalRate = tokens.reduce((sum, { rate }) => sum + rate, 0);
  let now = 0;
  const newCache = () => createGraphCache(() => now * 1000, graphBudget);
  const caches = Array.from({ length: instances }, newCache);
  const counts = caches.map(() => 0);
  let misses = 0;
  let away: number | null = null;
  while (now < warmUpS + measuredS) {
    now += -Math.log(1 - random()) / totalRate;
    const since = now - warmUpS;
    const wasAway = away;
    away = restarts === undefined ? null : awayAt(since, instances, restarts);
    if (wasAway !== null && away === null) caches[wasAway] = newCache();
    const token = tokens[choose(random())];
    if (token === undefined) throw new RangeError("no token was chosen");
    const instance = ring(token.hash, away);
    const cache = caches[instance];
    if (cache === undefined) throw new RangeError("no instance was chosen");
    const isMiss = cache.use(token.connection).latest() === null;
    if (isMiss) cache.place(token.connection, graphOf(token.bytes));
    if (since < 0) continue;
    counts[instance] = (counts[instance] ?? 0) + 1;
    if (isMiss) misses += 1;
  }
  const requests = counts.reduce((sum, count) => sum + count, 0);
  return { requests, misses, largestShare: Math.max(...counts) / requests };
}

/** The instance that is away at a time. */
function awayAt(seconds: number, instances: number, { everyS, awayS }: Restarts): number | null {
  const restart = Math.floor(seconds / everyS) - 1;
  return restart >= 0 && restart < instances && seconds % everyS < awayS ? restart : null;
}

/** An empty graph that counts as `bytes` bytes. */
const graphOf = (bytes: number) => ({
  graph: emptyGraph,
  version: 1,
  texts: {
    snapshot: () => noTexts.snapshot(),
    refresh: () => noTexts.refresh(),
    byteLength: () => bytes,
  },
});

const emptyGraph = new Graph(buildColumns(rowsOf({ nodes: [], references: [] })));

const hashOf = (text: string) => createHash("sha1").update(text).digest().readUInt32BE();

/** As in nginx: 160 points on a ring for each instance. */
const pointsPerInstance = 160;

/** Finds the instance of a hash: the one with the next point on the ring, but for one that is away. */
function createRing(instances: number): (hash: number, away: number | null) => number {
  const points = Array.from({ length: instances * pointsPerInstance }, (_, index) => ({
    at: hashOf(`point ${index}`),
    instance: index % instances,
  })).sort((a, b) => a.at - b.at);
  return (hash, away) => {
    const first = lowest(points.length, (index) => (points[index]?.at ?? 0) >= hash);
    for (let step = 0; step < points.length; step += 1) {
      const point = points[(first + step) % points.length];
      if (point !== undefined && point.instance !== away) return point.instance;
    }
    throw new RangeError("no instance is left");
  };
}

/** Chooses an index with these probabilities, from a number from 0 to 1. */
function chooser(weights: readonly number[]): (share: number) => number {
  let total = 0;
  const sums = weights.map((weight) => (total += weight));
  return (share) => lowest(weights.length - 1, (index) => (sums[index] ?? 0) > share * total);
}

/** The lowest index below `count` for which a condition holds from then on; `count` if there is none. */
function lowest(count: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

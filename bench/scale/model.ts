import { assumed, fixed, measured } from "./inputs.ts";
import { bisect, type Population, type Workspace } from "./population.ts";

/* The capacity model: plain formulas, which the simulation checks. */

type Size = (typeof measured.graphs)[number];

/** Between measured sizes a straight line on logarithmic axes. */
function interpolated(pages: number, of: (size: Size) => number): number {
  const after = measured.graphs.findIndex((size) => size.pages >= pages);
  const index = Math.max(1, after < 0 ? measured.graphs.length - 1 : after);
  const [left, right] = [measured.graphs[index - 1], measured.graphs[index]];
  if (left === undefined || right === undefined) throw new RangeError("two sizes were not measured");
  const share = Math.log(Math.max(1, pages) / left.pages) / Math.log(right.pages / left.pages);
  return of(left) * (of(right) / of(left)) ** share;
}

/** Bytes of a graph in memory. */
export const graphBytes = (pages: number) => interpolated(pages, ({ bytes }) => bytes);

/** Milliseconds of processor time to load a graph from the database. */
export const loadMs = (pages: number) =>
  Math.max(
    measured.graphs[0].loadMs,
    interpolated(pages, ({ loadMs: ms }) => ms),
  );

/** The place of graphs: instances that each have tokens by a hash, and memory for a number of bytes of graphs. */
export interface Cluster {
  readonly instances: number;
  readonly tokensPerUser: number;
  readonly graphBudget: number;
}

/** A workspace on one instance, which has some of its tokens. */
interface Share {
  readonly workspace: Workspace;
  /** The average number of such workspaces on an instance. */
  readonly expected: number;
  readonly rate: number;
  readonly bytes: number;
}

/** The request mix of an average instance. A workspace's number of tokens there follows the binomial distribution. */
function sharesOf(
  { workspaces, weight }: Population,
  { instances, tokensPerUser }: Cluster,
): readonly Share[] {
  const chances = Array.from({ length: tokensPerUser }, (_, index) => ({
    tokens: index + 1,
    chance: binomial(tokensPerUser, index + 1, 1 / instances),
  })).filter(({ chance }) => chance > 0);
  return workspaces.flatMap((workspace) => {
    const bytes = graphBytes(workspace.pages);
    return chances.map(({ tokens, chance }) => ({
      workspace,
      expected: chance * weight,
      rate: (workspace.rate * tokens) / tokensPerUser,
      bytes,
    }));
  });
}

function binomial(trials: number, successes: number, chance: number): number {
  let ways = 1;
  for (let index = 0; index < successes; index += 1) ways *= (trials - index) / (index + 1);
  return ways * chance ** successes * (1 - chance) ** (trials - successes);
}

const sum = <T>(items: readonly T[], of: (item: T) => number) =>
  items.reduce((total, item) => total + of(item), 0);

/** The work of an average instance's cache of graphs. Rates are per second. */
export interface CacheFigures {
  readonly requests: number;
  /** Requests that find no graph in memory. */
  readonly misses: number;
  /** Milliseconds of processor time, per second, to load the missing graphs: the small and the large ones. */
  readonly inlineLoadMs: number;
  readonly threadLoadMs: number;
  readonly heldBytes: number;
  /** Graphs that are loaded because an instance restarts: by the others while it is away, and by itself when it is back. */
  loadsOfRestart(awayS: number): number;
}

/**
 * Che's approximation of a cache that evicts the least recently used: there is a time after which a graph that was not
 * asked for is evicted, the same for all, and it is the time with which the expected bytes fill the memory.
 */
export function cacheFigures(population: Population, cluster: Cluster): CacheFigures {
  const shares = sharesOf(population, cluster);
  const heldAfter = (time: number) =>
    sum(shares, ({ expected, bytes, rate }) => expected * bytes * (1 - Math.exp(-rate * time)));
  const isAlwaysEnough = sum(shares, ({ expected, bytes }) => expected * bytes) <= cluster.graphBudget;
  const time = isAlwaysEnough
    ? Number.POSITIVE_INFINITY
    : bisect((seconds) => heldAfter(seconds) >= cluster.graphBudget);
  const missesOf = ({ expected, rate }: Share) => expected * rate * Math.exp(-rate * time);
  const loadsOf = (wanted: (pages: number) => boolean) =>
    sum(shares, (share) =>
      wanted(share.workspace.pages) ? missesOf(share) * loadMs(share.workspace.pages) : 0,
    );
  return {
    requests: sum(shares, ({ expected, rate }) => expected * rate),
    misses: sum(shares, missesOf),
    inlineLoadMs: loadsOf((pages) => pages <= fixed.inlinePages),
    threadLoadMs: loadsOf((pages) => pages > fixed.inlinePages),
    heldBytes: isAlwaysEnough ? sum(shares, ({ expected, bytes }) => expected * bytes) : cluster.graphBudget,
    loadsOfRestart(awayS) {
      const elsewhere = sum(shares, ({ expected, rate }) => expected * (1 - Math.exp(-rate * awayS)));
      // In memory, and asked for again before it would have been evicted.
      const again = sum(shares, ({ expected, rate }) =>
        isAlwaysEnough ? expected : expected * (1 - Math.exp(-rate * time) * (1 + rate * time)),
      );
      return elsewhere + again - awayS * sum(shares, missesOf);
    },
  };
}

/** The needs of an installation. */
export interface Plan extends CacheFigures {
  readonly instances: number;
  /** Busy seconds per second of an instance's threads, and of its pool of calls: what decides the number. */
  readonly mainThread: number;
  readonly buildThread: number;
  readonly queryThreads: number;
  readonly callPool: number;
  /** Of the whole installation. */
  readonly syncCallsPerS: number;
  readonly firstSyncCalls: number;
  readonly databaseBytes: number;
  readonly textIndexBytes: number;
}

/** The fewest instances that are not too busy. */
export function planFor(population: Population): Plan {
  const isEnough = ({ mainThread, buildThread, queryThreads, callPool }: Plan) =>
    Math.max(mainThread, buildThread, queryThreads, callPool) <= assumed.utilisation;
  let high = 1;
  while (!isEnough(planWith(population, high))) high *= 2;
  let low = Math.floor(high / 2);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(planWith(population, middle))) high = middle;
    else low = middle;
  }
  return planWith(population, high);
}

/** The load of a number of instances. */
function planWith(population: Population, instances: number): Plan {
  const { workspaces, weight } = population;
  const graphBudget = fixed.graphBudgetShare * assumed.instanceMemory;
  const cache = cacheFigures(population, { instances, tokensPerUser: assumed.tokensPerUser, graphBudget });
  const total = (of: (workspace: Workspace) => number) => weight * sum(workspaces, of);
  const pages = total((workspace) => workspace.pages);
  const syncCallsPerS = total(syncCallsPerSOf);
  const rebuilds = (wanted: (pages: number) => boolean) =>
    total((workspace) =>
      wanted(workspace.pages) ? publicationsPerS(workspace) * 2 * loadMs(workspace.pages) : 0,
    ) / instances;
  const isInline = (size: number) => size <= fixed.inlinePages;
  const requestMs = cache.requests * measured.requestMs + (syncCallsPerS / instances) * measured.callMs;
  return {
    ...cache,
    instances,
    mainThread: (requestMs + cache.inlineLoadMs + rebuilds(isInline)) / 1000,
    buildThread: (cache.threadLoadMs + rebuilds((size) => !isInline(size))) / 1000,
    queryThreads: (cache.requests * assumed.textQueries * measured.textQueryMs) / 1000 / fixed.queryThreads,
    callPool: ((syncCallsPerS / instances) * assumed.providerLatencyS) / fixed.callsAtOnce,
    syncCallsPerS,
    firstSyncCalls: pages * measured.firstSyncCalls,
    databaseBytes: pages * (measured.pageBytes + assumed.textBytesPerPage),
    textIndexBytes: pages * assumed.textBytesPerPage * measured.textIndexShare,
  };
}

/** A sync lists the workspace in each interval, or as often as the provider allows, and reads what was edited. */
function syncCallsPerSOf({ pages }: Workspace): number {
  const listing = (1 + pages * measured.idleSyncCalls) / fixed.syncIntervalS;
  return Math.min(listing + (pages * assumed.editedPerDay) / 86_400, fixed.callsPerMinute / 60);
}

/** Each edit is published by the next sync. The graph is built where the sync ran, and where it is served. */
function publicationsPerS({ pages }: Workspace): number {
  return Math.min((pages * assumed.editedPerDay) / 86_400, 1 / fixed.syncIntervalS);
}

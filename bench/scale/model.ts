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

/** Milliseconds of processor time to build a graph from the database. */
export const buildMs = (pages: number) =>
  Math.max(
    measured.graphs[0].buildMs,
    interpolated(pages, ({ buildMs: ms }) => ms),
  );

/** Milliseconds of processor time to read a graph from its file. */
export const readMs = (pages: number) =>
  Math.max(
    measured.graphs[0].readMs,
    interpolated(pages, ({ readMs: ms }) => ms),
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
  /** Of these, the requests that find none in a file either. */
  readonly builds: number;
  /** Milliseconds of processor time, per second: to read missing graphs, and to build the small and the large ones. */
  readonly readMs: number;
  readonly inlineBuildMs: number;
  readonly threadBuildMs: number;
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
  const allBytes = sum(shares, ({ expected, bytes }) => expected * bytes);
  const timeWith = (budget: number) =>
    allBytes <= budget ? Number.POSITIVE_INFINITY : bisect((seconds) => heldAfter(seconds) >= budget);
  const isAlwaysEnough = allBytes <= cluster.graphBudget;
  const time = timeWith(cluster.graphBudget);
  const timeOnDisk = timeWith(fixed.graphFilesPerMemory * cluster.graphBudget);
  const missesOf = ({ expected, rate }: Share) => expected * rate * Math.exp(-rate * time);
  const buildsOf = ({ expected, rate }: Share) => expected * rate * Math.exp(-rate * timeOnDisk);
  const buildMsOf = (wanted: (pages: number) => boolean) =>
    sum(shares, (share) =>
      wanted(share.workspace.pages) ? buildsOf(share) * buildMs(share.workspace.pages) : 0,
    );
  return {
    requests: sum(shares, ({ expected, rate }) => expected * rate),
    misses: sum(shares, missesOf),
    builds: sum(shares, buildsOf),
    readMs: sum(shares, (share) => (missesOf(share) - buildsOf(share)) * readMs(share.workspace.pages)),
    inlineBuildMs: buildMsOf((pages) => pages <= fixed.inlinePages),
    threadBuildMs: buildMsOf((pages) => pages > fixed.inlinePages),
    heldBytes: Math.min(allBytes, cluster.graphBudget),
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
  readonly syncThread: number;
  readonly buildThread: number;
  readonly queryThreads: number;
  readonly callPool: number;
  /** Of the whole installation. */
  readonly looksPerS: number;
  readonly syncCallsPerS: number;
  readonly firstSyncCalls: number;
  readonly databaseBytes: number;
  readonly textIndexBytes: number;
}

/** The fewest instances that are not too busy. */
export function planFor(population: Population): Plan {
  const isEnough = ({ mainThread, syncThread, buildThread, queryThreads, callPool }: Plan) =>
    Math.max(mainThread, syncThread, buildThread, queryThreads, callPool) <= assumed.utilisation;
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
  const looksPerS = total(() => 1 / fixed.lookIntervalS);
  const [listingCallsPerS, textCallsPerS] = [total(listingsOf), total(textsOf)];
  const syncCallsPerS = listingCallsPerS + textCallsPerS;
  const syncMs =
    looksPerS * measured.lookMs +
    listingCallsPerS * measured.listingCallMs +
    textCallsPerS * measured.textCallMs;
  const rebuilds = (wanted: (pages: number) => boolean) =>
    total((workspace) =>
      wanted(workspace.pages) ? publicationsPerS(workspace) * 2 * buildMs(workspace.pages) : 0,
    ) / instances;
  const isInline = (size: number) => size <= fixed.inlinePages;
  const requestMs = cache.requests * measured.requestMs;
  return {
    ...cache,
    instances,
    mainThread: (requestMs + cache.readMs + cache.inlineBuildMs + rebuilds(isInline)) / 1000,
    syncThread: syncMs / instances / 1000,
    buildThread: (cache.threadBuildMs + rebuilds((size) => !isInline(size))) / 1000,
    queryThreads: (cache.requests * assumed.textQueries * measured.textQueryMs) / 1000 / fixed.queryThreads,
    callPool: (((looksPerS + syncCallsPerS) / instances) * assumed.providerLatencyS) / fixed.callsAtOnce,
    looksPerS,
    syncCallsPerS,
    firstSyncCalls: pages * measured.firstSyncCalls,
    databaseBytes: pages * (measured.pageBytes + assumed.textBytesPerPage),
    textIndexBytes: pages * assumed.textBytesPerPage * measured.textIndexShare,
  };
}

/** A whole listing in each interval, and one call for the edits that a look has noticed; as often as the provider allows. */
const listingsOf = (workspace: Workspace) => callsPerS(workspace).listings;

/** A call for the text of each edit, with what listings leave of the provider's limit. */
const textsOf = (workspace: Workspace) => callsPerS(workspace).texts;

function callsPerS(workspace: Workspace): { readonly listings: number; readonly texts: number } {
  const most = fixed.callsPerMinute / 60;
  const whole = (1 + workspace.pages * measured.idleSyncCalls) / fixed.syncIntervalS;
  const listings = Math.min(whole + publicationsPerS(workspace), most);
  return { listings, texts: Math.min((workspace.pages * assumed.editedPerDay) / 86_400, most - listings) };
}

/** Edits are published after the look that notices them. The graph is built where the sync ran, and where it is served. */
function publicationsPerS({ pages }: Workspace): number {
  return Math.min((pages * assumed.editedPerDay) / 86_400, 1 / fixed.lookIntervalS);
}

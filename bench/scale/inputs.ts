/** The figures measured on this project's machines, each with its source. Times are processor time where possible. */
export const measured = {
  /**
   * By pages: bytes of a graph in memory, and milliseconds of processor time to build it from SQLite once the thread runs, and to
   * read it from its file (`npm run bench cold`, five edges a page).
   */
  graphs: [
    { pages: 100, bytes: 117_300, buildMs: 5.3, readMs: 0.7 },
    { pages: 1_000, bytes: 1_149_000, buildMs: 19.5, readMs: 0.9 },
    { pages: 10_000, bytes: 9_490_000, buildMs: 95.5, readMs: 4.3 },
    { pages: 100_000, bytes: 36_700_000, buildMs: 1_256, readMs: 33 },
    { pages: 1_000_000, bytes: 236_000_000, buildMs: 9_400, readMs: 290 },
  ],
  /**
   * Processor time of a request: the mean of search, node, neighbours and paths (bench/http/README.md, the sample
   * workspace).
   */
  requestMs: 0.148,
  /** Of a text query, on a query thread: the mean over its kinds at 385 000 pages (docs/benchmarks-text.md). */
  textQueryMs: 4.6,
  /** Calls to the provider for each page of a first sync, and of one that finds no changes (`npm run bench sync`). */
  firstSyncCalls: 1.017,
  idleSyncCalls: 0.015,
  /** Processor time of a look without news, and of a listing call of 100 entries with its comparison (`npm run bench idle`). */
  lookMs: 1.6,
  listingCallMs: 4.7,
  /**
   * Processor time of a call for a text with all that follows from it: 50 000 pages in 90 s, the stand-in's own work included
   * (bench/sync/README.md).
   */
  textCallMs: 1.77,
  /** Bytes of a page and its references in SQLite, without its text: bench/graph's workspace of 100 000 pages. */
  pageBytes: 505,
  /** Bytes of the text index for a byte of text (docs/benchmarks-text.md). */
  textIndexShare: 0.58,
} as const;

/** The figures that follow from Clew's settings and code. */
export const fixed = {
  /** The graphs' share of an instance's memory (decision 20). */
  graphBudgetShare: 0.25,
  /** Bytes of graphs in files, for each byte of graphs in memory (decision 80). */
  graphFilesPerMemory: 4,
  /** Larger graphs are built in a thread, smaller ones on the main thread. */
  inlinePages: 1_000,
  queryThreads: 2,
  /** Calls to the provider at a time, of an instance. */
  callsAtOnce: 256,
  /** Calls a minute that Notion allows a connection. */
  callsPerMinute: 180,
  syncIntervalS: 3_600,
  lookIntervalS: 60,
  largestWorkspace: 1_000_000,
} as const;

/** The figures that were not measured: change them to what you know of your users. */
export const assumed = {
  pagesPerUser: 2_000,
  /** Tokens that a person uses at the same time: an agent and a script. */
  tokensPerUser: 2,
  /** Of a person in the busiest hour: 36 in the hour. */
  requestsPerUserPerS: 0.01,
  /** The share of requests that search texts. */
  textQueries: 0.2,
  /** Zipf's exponents of the sizes of workspaces, and of how often each is asked. The two are independent. */
  sizeExponent: 0.8,
  rateExponent: 0.9,
  textBytesPerPage: 4_500,
  /** The share of pages that are edited in a day. */
  editedPerDay: 0.01,
  /** Seconds that the provider takes to answer a call. */
  providerLatencyS: 0.3,
  instanceMemory: 16e9,
  /** The highest average load of a thread, or of the pool of calls, in the busiest hour. */
  utilisation: 0.5,
} as const;

import { count, duration, megabytes, table, timing } from "./figures.ts";
import { peers } from "./peers/peers.ts";
import { queryKinds } from "./queries.ts";
import { aims, aimsOfWhole, type PeerResult, type Results, type SizeResult } from "./results.ts";

/** All tables of a run. */
export function tablesOf(results: Results): string {
  const sizes = Object.entries(results.sizes);
  return [
    "## The workspaces",
    shapes(sizes),
    "## Clew",
    wholes(sizes),
    "Times of one operation: median · 99th percentile · longest. A number in parentheses says how many operations were timed, if " +
      "fewer than 1000 fitted into the time of a figure.",
    operations(sizes),
    "## Compared with others",
    ...sizes.flatMap(([size, result]) => [
      `### ${count(Number(size))} pages`,
      graphPeers(result),
      titlePeers(result),
      failures(result),
    ]),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

type Sizes = readonly (readonly [string, SizeResult])[];

const heads = (sizes: Sizes) => sizes.map(([size]) => count(Number(size)));

function shapes(sizes: Sizes): string {
  const rows = sizes.map(([, { shape }]) => [
    count(shape.nodes),
    count(shape.edges),
    `${shape.degree.p50} · ${shape.degree.p90} · ${shape.degree.p99}`,
    count(shape.degree.max),
    `${shape.depth.p10} · ${shape.depth.p50} · ${shape.depth.max}`,
    count(shape.words),
    count(shape.vocabulary),
    `${Math.round(shape.otherScripts * 100)} %`,
  ]);
  const head = ["pages", "edges", "edges per page, p50 · p90 · p99", "edges of the largest hub"];
  const titles = [
    "depth of the tree, p10 · p50 · max",
    "words in titles",
    "different words",
    "not in Latin script",
  ];
  return table([...head, ...titles], rows);
}

function wholes(sizes: Sizes): string {
  const row = (name: string, aim: string, figure: (result: SizeResult) => string) => [
    name,
    ...sizes.map(([, result]) => figure(result)),
    aim,
  ];
  const { buildMs, importanceShare, mapMs, loadMs, memoryBytes } = aimsOfWhole;
  const percent = (share: number | undefined) => (share === undefined ? "–" : `${Math.round(share * 100)} %`);
  return table(
    ["", ...heads(sizes), "aim at a million"],
    [
      row("building the graph from memory", duration(buildMs * 1000), ({ clew }) =>
        duration(clew.buildMs * 1000),
      ),
      row("CPU time that PageRank adds to it", percent(importanceShare), ({ clew }) =>
        percent(clew.importanceShare),
      ),
      row("CPU time of laying out the map", duration(mapMs * 1000), ({ clew }) =>
        clew.mapMs === undefined ? "–" : duration(clew.mapMs * 1000),
      ),
      row("from the database to the first answer", duration(loadMs * 1000), ({ clew }) =>
        duration(clew.loadMs * 1000),
      ),
      row("resident memory", megabytes(memoryBytes), ({ clew }) => megabytes(clew.memoryBytes)),
    ],
  );
}

function operations(sizes: Sizes): string {
  const names = [...new Set(sizes.flatMap(([, { clew }]) => Object.keys(clew.timings)))];
  const aimOf = (name: string) => {
    const aim = aims[name];
    return aim === undefined ? "" : `p99 ${duration(aim.p99)}`;
  };
  return table(
    ["", ...heads(sizes), "aim at a million"],
    names.map((name) => [name, ...sizes.map(([, { clew }]) => timing(clew.timings[name])), aimOf(name)]),
  );
}

/** The measured peers of a kind, with their labels. */
function ofKind({ peers: measured }: SizeResult, kind: "graph" | "titles"): [string, PeerResult][] {
  return Object.entries(measured).flatMap(([name, result]): [string, PeerResult][] => {
    const entry = peers[name];
    return entry?.kind === kind ? [[entry.label, result]] : [];
  });
}

const walks = ["neighbours, 1 step", "shortest path", "shortest path beside hubs"];

function graphPeers(result: SizeResult): string {
  const measured = ofKind(result, "graph");
  if (measured.length === 0) return "";
  const { buildMs, memoryBytes, timings } = result.clew;
  const rows: [string, PeerResult][] = [
    ["Clew", { loadMs: buildMs, memoryBytes, timings, found: {} }],
    ...measured,
  ];
  return table(
    ["graph", "load", "memory", ...walks, "same neighbours", "same length"],
    rows.map(
      ([label, { loadMs, memoryBytes: bytes, timings: times, sameNeighbors = "", sameSteps = "" }]) => [
        label,
        loadMs === undefined ? "–" : duration(loadMs * 1000),
        bytes === undefined ? "–" : megabytes(bytes),
        ...walks.map((name) => timing(times[name])),
        sameNeighbors,
        sameSteps,
      ],
    ),
  );
}

function titlePeers(result: SizeResult): string {
  const measured = ofKind(result, "titles");
  if (measured.length === 0) return "";
  const cell = ({ timings, found }: Pick<PeerResult, "timings" | "found">, kind: string) => {
    const share = found[kind];
    return (
      timing(timings[`search: ${kind}`]) + (share === undefined ? "" : `, finds ${Math.round(share * 100)} %`)
    );
  };
  return table(
    ["titles", "Clew", ...measured.map(([label]) => label)],
    [
      [
        "load",
        "with the graph",
        ...measured.map(([, { loadMs }]) => (loadMs ? duration(loadMs * 1000) : "–")),
      ],
      [
        "memory",
        "with the graph",
        ...measured.map(([, peer]) => (peer.memoryBytes ? megabytes(peer.memoryBytes) : "–")),
      ],
      ...queryKinds.map((kind) => [
        kind,
        cell(result.clew, kind),
        ...measured.map(([, peer]) => cell(peer, kind)),
      ]),
    ],
  );
}

/** The peers that did not finish, and why. */
function failures(result: SizeResult): string {
  return [...ofKind(result, "graph"), ...ofKind(result, "titles")]
    .flatMap(([label, { failure }]) => (failure === undefined ? [] : [`- ${label}: ${failure}`]))
    .join("\n");
}

/** The text of docs/benchmarks.md. */
export function documentOf(results: Results): string {
  const { machine, date, seed, secondsAFigure, loadLimit, loadAverage, versions } = results;
  const versionList = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `# Benchmarks of the graph

Measured on ${date} on ${machine}. The load average was ${loadAverage} when the run began; the longest times include
other work of the machine. Versions: ${versionList.join(", ")}.
\`npm run bench:graph\` prints the tables. With \`WRITE_DOCS=1\` it also writes this file and its picture:

\`\`\`sh
WRITE_DOCS=1 npm run bench:graph
SIZES=10000 PEERS= SECONDS=3 npm run bench:graph   # small and quick, Clew alone
npm run bench:http                                 # requests per second; PAGES=1000000 for a large workspace
\`\`\`

The workspaces are generated from a seed (here ${seed}) and shaped like real ones: a few large hubs, titles of one to eight words in
several scripts with a vocabulary that grows as in natural language, and trees of pages three to nine deep. Each size of Clew and of each peer
runs in a process of its own. A figure is measured on 1000 to 1600 different questions, or on as many as fit into ${secondsAFigure} s, after a
warm-up on others. Memory is the resident memory after garbage collection, less that of the empty process.

![How each cost grows with the number of pages](benchmarks.svg)

${tablesOf(results)}

## How the peers are measured

All peers hold everything in memory. Their pages are numbers, Clew's are UUIDs. A neighbourhood is up to 50 different pages in either direction, and
a path may follow edges in either direction. Clew also lists edges and nodes; the others only count neighbours and steps. A peer that has not
loaded a workspace within ${loadLimit} s, or has not finished in twice that time, is left out. A peer's process has generated the workspace first and may reuse
that memory; Clew's process must allocate its own.

- graphology: undirected, parallel edges merged; \`bidirectional\` of graphology-shortest-path.
- SQLite: both directions of each edge in a clustered table; a recursive common table expression of up to 6 steps that stops at the first
  row that arrives.
- LadybugDB and Kuzu: loaded with \`COPY\`, queried by prepared statements, \`SHORTEST 1..30\`.
- SurrealDB: inside the process, in memory, loaded 200 records at a time; the recursive path \`+shortest\`.
- MiniSearch: prefixes of words, misspellings of up to a fifth of a word, all words must match. It does not find text inside a word, and treats
  a Chinese, Japanese or Thai title as one word.
- SQLite FTS5: trigrams, diacritics removed. It does not find misspelt words. For a word of one or two letters it scans titles until it has
  found enough.

"finds" is the share of the first 20 queries of a kind that have any match.
`;
}

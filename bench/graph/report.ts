import { count, duration, megabytes, table, timing } from "./figures.ts";
import { aims, aimsOfWhole, type Results, type SizeResult } from "./results.ts";

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

/** The text of docs/benchmarks.md. */
export function documentOf(results: Results): string {
  const { machine, date, seed, secondsAFigure, loadAverage, node } = results;
  return `# Benchmarks of the graph

Measured on ${date} with Node ${node} on ${machine}. The load average was ${loadAverage} when the run began; the longest times include
other work of the machine.
\`npm run bench graph\` prints the tables. With \`WRITE_DOCS=1\` it also writes this file and its picture:

<!-- not run: takes minutes -->
\`\`\`sh
WRITE_DOCS=1 npm run bench graph
SIZES=10000 SECONDS=3 npm run bench graph   # small and quick
npm run bench http                                 # requests per second; PAGES=1000000 for a large workspace
\`\`\`

The workspaces are generated from a seed (here ${seed}) and shaped like real ones: a few large hubs, titles of one to eight words in
several scripts with a vocabulary that grows as in natural language, and trees of pages three to nine deep. Each size
runs in a process of its own. A figure is measured on 1000 to 1600 different questions, or on as many as fit into ${secondsAFigure} s, after a
warm-up on others. Memory is the resident memory after garbage collection, less that of the empty process.

![How each cost grows with the number of pages](benchmarks.svg)

${tablesOf(results)}

## Beside other libraries

2026-11-21, a million pages, median · 99th percentile. A shortest path: Clew 45 µs · 3.5 ms, graphology 0.26.0 9.5 ms · 191 ms, recursive SQL on SQLite
8.6 s · 14 s, LadybugDB 0.19.1 840 ms · 1.7 s, Kuzu 0.11.3 429 ms · 710 ms; SurrealDB 3.0.3 did not load the workspace within 75 s. A title search for several words:
Clew 238 µs · 1.2 ms, MiniSearch 7.2.0 116 ms · 475 ms, trigrams of SQLite FTS5 3.9 ms · 186 ms. They are no alternatives any more and are not measured again.
`;
}

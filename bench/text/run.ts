import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { runAlone } from "../graph/child.ts";
import { count, duration, megabytes, table } from "../graph/figures.ts";
import type { Timing } from "../graph/measure.ts";
import { peers } from "./peers.ts";
import { queryKinds } from "./queries.ts";

/**
 * Measures Clew's text index on made-up workspaces of several sizes, beside other indexes: README.md. Each size of each of
 * them runs in a separate process, one after the other.
 */
const sizes = (process.env.SIZES ?? "10000,100000").split(",").map(Number);
const wanted = (process.env.PEERS ?? Object.keys(peers).join(",")).split(",").filter((name) => name in peers);
const loadLimit = Number(process.env.LOAD_LIMIT ?? 600) * 1000;
const dayMs = 24 * 3_600_000;

interface Figures {
  readonly textBytes?: number;
  readonly indexBytes?: number;
  readonly buildMs?: number;
  readonly mergeMs?: number;
  readonly segments?: number;
  readonly memoryBytes?: number;
  readonly timings?: Readonly<Record<string, Timing>>;
  readonly found?: Readonly<Record<string, number>>;
  readonly truncated?: Readonly<Record<string, number>>;
}

const folder = await mkdtemp(join(process.env.FOLDER ?? tmpdir(), "clew-bench-text-"));
console.log(`${cpus()[0]?.model}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}\n`);
try {
  for (const size of sizes) {
    const results: [name: string, figures: Figures][] = [["Clew", await measureClew(size)]];
    for (const name of wanted) results.push([name, await measurePeer(name, size)]);
    console.log(report(size, results));
  }
} finally {
  await rm(folder, { recursive: true });
}

/** Builds and asks in two processes: memory that is left from building must not count as memory of searching. */
async function measureClew(size: number): Promise<Figures> {
  const own = join(folder, `clew-${size}`);
  await mkdir(own);
  const built = await measure("Clew", dayMs, "clew-process.ts", own, "build", String(size));
  const asked = await measure("Clew", dayMs, "clew-process.ts", own, "ask", String(size));
  await rm(own, { recursive: true });
  return { ...built, ...asked };
}

async function measurePeer(name: string, size: number): Promise<Figures> {
  const path = join(folder, `${name}-${size}.sqlite`);
  const figures = await measure(name, loadLimit, "peer-process.ts", path, String(size), name);
  for (const suffix of ["", "-wal", "-shm"]) await rm(`${path}${suffix}`, { force: true });
  return figures;
}

async function measure(name: string, loadMs: number, file: string, ...args: string[]): Promise<Figures> {
  const limits = { limitMs: 3 * loadMs, silenceMs: loadMs };
  const { messages, failure } = await runAlone(`../text/${file}`, args, limits);
  if (failure !== null) console.log(`${name}, ${args.join(" ")}: ${failure}`);
  // The messages have this type: the code that sends them is in this folder.
  let all: Figures = {};
  for (const message of messages as Figures[]) {
    const timings = { ...all.timings, ...message.timings };
    const found = { ...all.found, ...message.found };
    const truncated = { ...all.truncated, ...message.truncated };
    all = { ...all, ...message, timings, found, truncated };
  }
  return all;
}

function report(size: number, results: readonly (readonly [string, Figures])[]): string {
  const rows = [
    ["text", ...results.map(([, { textBytes }]) => shown(textBytes, megabytes))],
    ["index", ...results.map(([, { indexBytes }]) => shown(indexBytes, megabytes))],
    [
      "index per byte of text",
      ...results.map(([, { indexBytes = 0, textBytes }]) =>
        shown(textBytes, (bytes) => (indexBytes / bytes).toFixed(2)),
      ),
    ],
    [
      "text per second, built",
      ...results.map(([, { textBytes = 0, buildMs }]) =>
        shown(buildMs, (ms) => megabytes((textBytes / ms) * 1000)),
      ),
    ],
    ["merging", ...results.map(([, { mergeMs }]) => shown(mergeMs, (ms) => duration(ms * 1000)))],
    ["segments", ...results.map(([, { segments }]) => shown(segments, count))],
    ["memory", ...results.map(([, { memoryBytes }]) => shown(memoryBytes, megabytes))],
    ...queryKinds.map((kind) => [kind, ...results.map(([, figures]) => answer(figures, kind))]),
  ];
  const title = `## ${count(size)} pages: p50 · p99, share with a result, share cut short`;
  return `${title}\n\n${table(["", ...results.map(([name]) => name)], rows)}\n`;
}

function shown(figure: number | undefined, write: (figure: number) => string): string {
  return figure === undefined ? "–" : write(figure);
}

function answer({ timings, found, truncated }: Figures, kind: string): string {
  const timing = timings?.[kind];
  if (timing === undefined) return "–";
  const share = (part: number | undefined) => `${Math.round(100 * (part ?? 0))} %`;
  const cut = truncated?.[kind] ? `, ${share(truncated[kind])} cut` : "";
  return `${duration(timing.p50)} · ${duration(timing.p99)}, ${share(found?.[kind])}${cut}`;
}

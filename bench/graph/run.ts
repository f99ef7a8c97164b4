import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { cpus, loadavg, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { runAlone } from "./child.ts";
import { peers } from "./peers/peers.ts";
import { pictureOf } from "./picture.ts";
import { documentOf, tablesOf } from "./report.ts";
import type { ClewResult, PeerResult, Results, SizeResult } from "./results.ts";

/**
 * Measures Clew's graph and its peers on generated workspaces of several sizes: see docs/benchmarks.md. Each size of each
 * of them runs in a separate process, one after the other.
 */
const sizes = (process.env.SIZES ?? "10000,100000,1000000").split(",").map(Number);
const wanted = (process.env.PEERS ?? Object.keys(peers).join(",")).split(",").filter((name) => name in peers);
const seed = Number(process.env.SEED ?? 1);
/** Milliseconds within which a peer must load a workspace; otherwise it is not measured on that workspace. */
const loadLimit = Number(process.env.LOAD_LIMIT ?? 180) * 1000;
/** Milliseconds after which the measurement of a peer is ended. */
const peerLimit = 2 * loadLimit;
const patient = { limitMs: 3_600_000, silenceMs: 3_600_000 };

const folder = await mkdtemp(join(tmpdir(), "clew-bench-"));
let results: Results = {
  machine: `${cpus()[0]?.model}, ${cpus().length} cores, ${Math.round(totalmem() / 1e9)} GB, ${process.platform}`,
  date: new Date().toISOString().slice(0, 10),
  seed,
  secondsAFigure: Number(process.env.SECONDS ?? 15),
  loadLimit: loadLimit / 1000,
  loadAverage: Number((loadavg()[0] ?? 0).toFixed(1)),
  versions: await versions(),
  sizes: {},
};
try {
  for (const size of sizes) {
    const result = await measureSize(size);
    results = { ...results, sizes: { ...results.sizes, [size]: result } };
    console.log(tablesOf({ ...results, sizes: { [size]: result } }));
    if (process.env.WRITE_DOCS === "1") await writeDocs();
  }
} finally {
  await rm(folder, { recursive: true });
}

async function measureSize(size: number): Promise<SizeResult> {
  const database = join(folder, `${size}.sqlite`);
  const place = [String(seed), String(size)];
  // The messages have these types: the code that sends them is in this folder.
  const { shape, storeMs } = (await told("store-process.ts", [database, ...place])) as SizeResult;
  const build = (await told("build-process.ts", place)) as BuildFigures;
  const clew = (await told("clew-process.ts", [database, ...place])) as Omit<ClewResult, keyof BuildFigures> &
    Answers;
  await rm(database);
  const measured: Record<string, PeerResult> = {};
  for (const name of wanted) measured[name] = await measurePeer(name, place, clew);
  const { loadMs, memoryBytes, timings, found } = clew;
  return { shape, storeMs, clew: { ...build, loadMs, memoryBytes, timings, found }, peers: measured };
}

type BuildFigures = Pick<ClewResult, "buildMs" | "mapMs" | "importanceShare">;

interface Answers {
  readonly answers: { readonly neighbors: readonly unknown[]; readonly steps: readonly unknown[] };
}

/** Runs one of Clew's own processes and returns its message. Throws if the process failed. */
async function told(file: string, args: readonly string[]): Promise<unknown> {
  const { messages, failure } = await runAlone(file, args, patient);
  if (failure !== null) throw new Error(`${file}: ${failure}`);
  return messages[0];
}

/** A message of a peer's process: each has some of these fields. */
type PeerMessage = Partial<
  Pick<PeerResult, "loadMs" | "memoryBytes" | "timings" | "found"> & Answers["answers"]
>;

async function measurePeer(name: string, place: string[], { answers }: Answers): Promise<PeerResult> {
  const { messages, failure } = await runAlone("peer-process.ts", [name, ...place], {
    limitMs: peerLimit,
    silenceMs: loadLimit,
  });
  let result: PeerResult = { timings: {}, found: {}, ...(failure === null ? {} : { failure }) };
  for (const message of messages as PeerMessage[]) {
    const { timings, found, neighbors, steps, loadMs, memoryBytes } = message;
    result = {
      ...result,
      ...(loadMs === undefined ? {} : { loadMs }),
      ...(memoryBytes === undefined ? {} : { memoryBytes }),
      timings: { ...result.timings, ...timings },
      found: { ...result.found, ...found },
      ...(neighbors === undefined ? {} : { sameNeighbors: alike(neighbors, answers.neighbors) }),
      ...(steps === undefined ? {} : { sameSteps: alike(steps, answers.steps) }),
    };
  }
  return result;
}

function alike(theirs: readonly unknown[], ours: readonly unknown[]): string {
  return `${theirs.filter((answer, index) => answer === ours[index]).length} of ${theirs.length}`;
}

/** Versions of Node and of the packages of all selected peers. */
async function versions(): Promise<Record<string, string>> {
  const found: Record<string, string> = { node: process.versions.node };
  const manifest = JSON.parse(await readFile(join(import.meta.dirname, "package.json"), "utf8"));
  for (const name of wanted.flatMap((peer) => peers[peer]?.packages ?? [])) {
    found[name] = String(manifest.dependencies[name]);
  }
  return found;
}

async function writeDocs(): Promise<void> {
  const docs = join(import.meta.dirname, "../../docs");
  await writeFile(join(import.meta.dirname, "results.json"), `${JSON.stringify(results, null, 2)}\n`);
  await writeFile(join(docs, "benchmarks.svg"), pictureOf(results));
  await writeFile(join(docs, "benchmarks.md"), documentOf(results));
}

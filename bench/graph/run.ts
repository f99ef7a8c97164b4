import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, loadavg, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { runAlone } from "./child.ts";
import { pictureOf } from "./picture.ts";
import { documentOf, tablesOf } from "./report.ts";
import type { ClewResult, Results, SizeResult } from "./results.ts";

/**
 * Measures Clew's graph on generated workspaces of several sizes: see docs/benchmarks.md. Each part of each size runs in a
 * separate process, one after the other.
 */
const sizes = (process.env.SIZES ?? "10000,100000,1000000").split(",").map(Number);
const seed = Number(process.env.SEED ?? 1);
const hour = 3_600_000;

const folder = await mkdtemp(join(tmpdir(), "clew-bench-"));
let results: Results = {
  machine: `${cpus()[0]?.model}, ${cpus().length} cores, ${Math.round(totalmem() / 1e9)} GB, ${process.platform}`,
  date: new Date().toISOString().slice(0, 10),
  seed,
  secondsAFigure: Number(process.env.SECONDS ?? 15),
  loadAverage: Number((loadavg()[0] ?? 0).toFixed(1)),
  node: process.versions.node,
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
  const { shape, storeMs } = (await told("store-process.ts", [`sqlite:${database}`, ...place])) as SizeResult;
  const build = (await told("build-process.ts", place)) as BuildFigures;
  const clew = (await told("clew-process.ts", [database, ...place])) as Omit<ClewResult, keyof BuildFigures>;
  await rm(database);
  return { shape, storeMs, clew: { ...build, ...clew } };
}

type BuildFigures = Pick<ClewResult, "buildMs" | "mapMs" | "importanceShare">;

/** Runs one of Clew's own processes and returns its message. Throws if the process failed. */
async function told(file: string, args: readonly string[]): Promise<unknown> {
  const { messages, failure } = await runAlone(file, args, { limitMs: hour, silenceMs: hour });
  if (failure !== null) throw new Error(`${file}: ${failure}`);
  return messages[0];
}

async function writeDocs(): Promise<void> {
  const docs = join(import.meta.dirname, "../../docs");
  await writeFile(join(import.meta.dirname, "results.json"), `${JSON.stringify(results, null, 2)}\n`);
  await writeFile(join(docs, "benchmarks.svg"), pictureOf(results));
  await writeFile(join(docs, "benchmarks.md"), documentOf(results));
}

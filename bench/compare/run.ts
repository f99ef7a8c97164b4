import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { writeWorkspace } from "@clew/stand-in/testing";
import { main, type Settings, spawnClew } from "../../test/support/clew-process.ts";
import { signIn } from "../../test/support/session.ts";
import { pin } from "../http/pin.ts";
import { estimate, fewestRatios } from "./statistics.ts";
import { httpWorks, mcpWorks, type Subject, syncWorks } from "./work.ts";

/**
 * Compares this checkout with another: `npm run bench compare -- <folder of the other> [http] [mcp] [sync]`. Both serve the
 * same workspace on one core, the load comes from another. Each of RUNS runs starts both anew, does each work once to warm
 * up, then measures it in both, the other first in every second run. A ratio is this checkout's processor time divided by
 * the other's. "slower" and "faster" mean that the 95 % interval of the ratio excludes 1.
 */
const [folder = "", ...names] = process.argv.slice(2);
const runs = Number(process.env.RUNS ?? 9);
const pages = Number(process.env.PAGES ?? 1_000);

const program = resolve(process.env.INIT_CWD ?? ".", folder, "packages/server/src/main.ts");
if (folder === "" || !existsSync(program)) throw new Error("Name the folder of another checkout, installed.");
if (runs < fewestRatios) throw new Error(`RUNS must be at least ${fewestRatios}.`);

const kinds = {
  http: { worksOf: httpWorks, isGenerated: false },
  mcp: { worksOf: mcpWorks, isGenerated: false },
  sync: { worksOf: syncWorks, isGenerated: true },
} as const;
const isKind = (name: string): name is keyof typeof kinds => name in kinds;
const wanted = names.length > 0 ? names.filter(isKind) : Object.keys(kinds).filter(isKind);

const settings = { LOG_LEVEL: "silent", RATE_LIMIT_TOKEN: "0", RATE_LIMIT_SESSION: "0", SYNC_INTERVAL: "0" };

/** Processor times per unit of work in microseconds: of this checkout and of the other, in one run. */
interface Pair {
  readonly own: number;
  readonly other: number;
}

const temporary = await mkdtemp(join(tmpdir(), "clew-compare-"));
try {
  await writeWorkspace(join(temporary, "pages"), { seed: 1, pages });
  pin(process.pid, 1);
  console.log(`${cpus()[0]?.model}, Node ${process.version}, ${runs} paired runs\n`);
  console.log(
    "| work | other, CPU µs | this, CPU µs | ratio | 95 % interval | |\n|---|---:|---:|---:|---|---|",
  );
  for (const kind of wanted) {
    const results = new Map<string, Pair[]>();
    for (let run = 0; run < runs; run += 1) await compare(kind, run, results);
    for (const [work, pairs] of results) console.log(lineOf(work, pairs));
  }
} finally {
  await rm(temporary, { recursive: true });
}

/** Starts both servers, and measures every work in both. */
async function compare(kind: keyof typeof kinds, run: number, results: Map<string, Pair[]>): Promise<void> {
  const open = (name: string, path: string) =>
    openSubject(kind, { ...settings, DATA_DIR: join(temporary, `${kind}-${name}-${run}`) }, path);
  const own = await open("own", main);
  try {
    const other = await open("other", program);
    try {
      for (const work of Object.keys(own.works)) {
        const measure = (subject: Subject) => subject.works[work]?.() ?? Number.NaN;
        const inTurn = run % 2 === 0 ? [own, other] : [other, own];
        for (const subject of inTurn) await measure(subject);
        const times = new Map<Subject, number>();
        for (const subject of inTurn) times.set(subject, await measure(subject));
        const pairs = results.get(work) ?? [];
        pairs.push({ own: times.get(own) ?? Number.NaN, other: times.get(other) ?? Number.NaN });
        results.set(work, pairs);
      }
    } finally {
      await other.clew.kill();
    }
  } finally {
    await own.clew.kill();
  }
}

async function openSubject(kind: keyof typeof kinds, given: Settings, path: string): Promise<Subject> {
  const { worksOf, isGenerated } = kinds[kind];
  const workspace = isGenerated ? { WORKSPACE_DIR: join(temporary, "pages") } : {};
  const clew = await spawnClew({ ...given, ...workspace }, { program: path });
  await clew.ready();
  pin(clew.pid, 0);
  return { clew, works: await worksOf(clew, await signIn(clew.url)) };
}

function lineOf(work: string, pairs: readonly Pair[]): string {
  const { median, low, high } = estimate(pairs.map(({ own, other }) => own / other));
  const times = (side: keyof Pair) => estimate(pairs.map((pair) => pair[side])).median.toFixed(0);
  const cells = [
    work,
    times("other"),
    times("own"),
    median.toFixed(3),
    `${low.toFixed(3)}–${high.toFixed(3)}`,
  ];
  return `| ${cells.join(" | ")} | ${verdict(low, high)} |`;
}

function verdict(low: number, high: number): string {
  if (low > 1) return "slower";
  return high < 1 ? "faster" : "";
}

import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import type { TestStandIn } from "@clew/stand-in/testing";
import { writeWorkspace } from "@clew/stand-in/testing";
import { openSyncing, serveWorkspace } from "../../packages/server/src/sync/testing/syncing.ts";
import { changesTo } from "./changes.ts";
import { callsOfWalk } from "./walk.ts";

/**
 * Counts the calls to the provider that each kind of sync makes: `PAGES=1000,10000 npm run bench sync`. The counts are
 * exact and the same on every machine; the order of the calls and the seconds are not.
 */
const sizes = (process.env.PAGES ?? "1000,10000").split(",").map(Number);
const seed = Number(process.env.SEED ?? 1);

/** The cost of a sync, and the most that it should be (SYNC-2, SYNC-3). */
interface Row {
  readonly sync: string;
  readonly calls: number;
  readonly aim: number | null;
  readonly seconds: number;
  /** Number of calls by route. */
  readonly routes: string;
}

for (const pages of sizes) {
  const folder = await mkdtemp(join(tmpdir(), "clew-bench-"));
  try {
    const directory = join(folder, "pages");
    await writeWorkspace(directory, { seed, pages });
    console.log(await measure(folder, directory));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measure(folder: string, directory: string): Promise<string> {
  let passed = 0;
  const clock = () => Date.now() + passed;
  const standIn = await serveWorkspace(directory, { clock, followFolder: false });
  let callsAtFirstPublication: number | null = null;
  const syncing = await openSyncing({
    location: { kind: "sqlite", path: join(folder, "clew.sqlite") },
    apiUrl: standIn.url,
    key: randomBytes(32),
    clock,
    publish: async (id, graphs) => {
      await graphs.publish(id);
      callsAtFirstPublication ??= callsOf(standIn);
    },
  });
  try {
    const { entries } = standIn.workspace();
    const pages = entries.filter(({ kind }) => kind === "page").length;
    const databases = entries.length - pages;
    const unchanged = 3 + Math.ceil(entries.length / 100) + databases;
    const rows: Row[] = [];
    const { id } = await syncing.connect();

    const sync = async (name: string, aim: number | null, isFull = false) => {
      passed += 3_600_000;
      standIn.resetCalls();
      const began = performance.now();
      const { report } = await syncing.run(id, { full: isFull });
      if (report.outcome !== "complete") throw new Error(`${name}: ${JSON.stringify(report)}`);
      const seconds = (performance.now() - began) / 1000;
      rows.push({ sync: name, calls: callsOf(standIn), aim, seconds, routes: routesOf(standIn) });
    };

    await sync("first", 1.1 * pages);
    const [first] = rows;
    const searchable = callsAtFirstPublication ?? 0;
    await sync("nothing changed", unchanged);
    for (const change of changesTo(directory, standIn.workspace(), clock)) {
      await change.make();
      await standIn.reload();
      await sync(change.name, unchanged + 3);
      await sync("nothing changed after that", unchanged);
    }
    await sync("full", null, true);

    const walk = callsOfWalk(standIn.workspace()) + Math.ceil(entries.length / 100);
    return [
      `## ${pages} pages, ${databases} databases\n`,
      `${cpus()[0]?.model}, Node ${process.version}, seed ${seed}, no rate limit\n`,
      "| sync | calls | aim | met | seconds | calls by route |",
      "|---|---:|---:|---|---:|---|",
      ...rows.map(lineOf),
      "",
      `- First sync: ${ratio((first?.calls ?? 0) / pages)} calls per page. Reading every block would take ${walk} calls, ` +
        `${ratio(walk / pages)} per page.`,
      `- All titles were searchable after ${searchable} calls, ${ratio((100 * searchable) / (first?.calls ?? 1))} % of ` +
        "the first sync's (aim: 2 %).\n",
    ].join("\n");
  } finally {
    await syncing.close();
    await standIn.close();
  }
}

function lineOf({ sync, calls, aim, seconds, routes }: Row): string {
  const aimed = aim === null ? "" : `≤ ${Math.round(aim)}`;
  const verdict = aim === null ? "" : mark(calls <= aim);
  return `| ${sync} | ${calls} | ${aimed} | ${verdict} | ${seconds.toFixed(1)} | ${routes} |`;
}

function mark(isMet: boolean): string {
  return isMet ? "✓" : "✗";
}

function ratio(number: number): string {
  return number.toFixed(3);
}

/** Calls of the API without those of the sign-in. */
function apiCalls(standIn: TestStandIn): (readonly [string, number])[] {
  return Object.entries(standIn.calls()).filter(([call]) => !call.includes("/oauth/"));
}

function callsOf(standIn: TestStandIn): number {
  return apiCalls(standIn).reduce((sum, [, count]) => sum + count, 0);
}

function routesOf(standIn: TestStandIn): string {
  return apiCalls(standIn)
    .toSorted(([, a], [, b]) => b - a)
    .map(([call, count]) => `${count} × \`${call.replace("/v1/", "").replaceAll(/:\w+/g, "…")}\``)
    .join(", ");
}

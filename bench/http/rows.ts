import { fork } from "node:child_process";
import { once } from "node:events";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import type { LongestTurn } from "../sync/longest-turn.ts";
import type { Order, ServedRows } from "./rows-process.ts";

/**
 * Measures for how long `rows/` (GRAPH-23) blocks the main thread: `ROWS=100000 npm run bench rows`. Clew runs in another
 * process; this one asks, one request after the other.
 */
const rows = Number(process.env.ROWS ?? 100_000);
const rounds = Number(process.env.ROUNDS ?? 5);
const calls = 20;

const lists: readonly (readonly [name: string, query: string, mediaType: string])[] = [
  ["sorted by a column", "?limit=200&sort=Size&order=desc", "application/json"],
  ["sorted by title", "?limit=200", "application/json"],
  ["as CSV", "?limit=200", "text/csv"],
];

const child = fork(join(import.meta.dirname, "rows-process.ts"), [String(rows)]);
const [served] = (await once(child, "message")) as [ServedRows];

async function order(sent: Order): Promise<LongestTurn | null> {
  child.send(sent);
  const [received] = (await once(child, "message")) as [LongestTurn | null];
  return received;
}

async function list(query: string, accept: string): Promise<void> {
  const headers = { authorization: `Bearer ${served.token}`, accept };
  const response = await fetch(served.url + query, { headers });
  const body = await response.text();
  if (response.status !== 200) throw new Error(body);
}

console.log(`200 of ${rows} rows, ${calls} calls a round, ${cpus()[0]?.model}, Node ${process.version}\n`);
console.log("| rows | round | longest task | without collection | load |\n|---|---:|---:|---:|---:|");
// Code that has not been compiled is slow.
for (const [, query, mediaType] of lists)
  for (let call = 0; call < calls; call += 1) await list(query, mediaType);
for (let round = 1; round <= rounds; round += 1) {
  for (const [name, query, mediaType] of lists) {
    await order("watch");
    for (let call = 0; call < calls; call += 1) await list(query, mediaType);
    const { longest = 0, withoutCollection = 0 } = (await order("stop")) ?? {};
    const figures = `${longest.toFixed(1)} ms | ${withoutCollection.toFixed(1)} ms`;
    console.log(`| ${name} | ${round} | ${figures} | ${loadavg()[0]?.toFixed(1)} |`);
  }
}
child.send("end" satisfies Order);

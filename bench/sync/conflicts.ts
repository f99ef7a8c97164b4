import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { openSyncing, type Syncing, serveWorkspace } from "../../packages/server/src/sync/testing/syncing.ts";
import { startTestServer } from "../../scripts/postgres.ts";
import { table } from "../graph/figures.ts";

/**
 * Counts the transactions that PostgreSQL refuses during the first syncs of many people at once, on several instances:
 * `PEOPLE=20 PAGES=61 INSTANCES=4 npm run bench conflicts`. All are repeated, so people see none; its log has an error for each.
 */
const people = Number(process.env.PEOPLE ?? 20);
const pages = Number(process.env.PAGES ?? 61);
const instances = Number(process.env.INSTANCES ?? 4);

/** Milliseconds that the provider takes for a call. */
const latencyMs = 20;

const folder = await mkdtemp(join(tmpdir(), "clew-bench-"));
const names = Array.from({ length: people }, (_, number) => `Person ${number}`);
await writeFile(
  join(folder, "_people.yml"),
  names.map((name, number) => `- { name: ${name}, email: person-${number}@demo.example }\n`).join(""),
);
for (let page = 0; page < pages; page += 1)
  await writeFile(
    join(folder, `p${page}.md`),
    `See [[p${(page + 1) % pages}]]. ${"Some words. ".repeat(200)}\n`,
  );

let serverLog = "";
const server = await startTestServer({
  isDurable: true,
  onLog: (lines) => {
    serverLog += lines;
  },
});
const url = await server.createDatabase("conflicts");
const standIn = await serveWorkspace(folder, { followFolder: false });
standIn.faults.set([{ on: "*", fault: { kind: "latency", milliseconds: latencyMs } }]);
const key = randomBytes(32);
const opened: Syncing[] = [];
for (let instance = 0; instance < instances; instance += 1)
  opened.push(
    await openSyncing({ location: { kind: "postgres", url }, apiUrl: standIn.url, key, lookEveryMs: 100 }),
  );
try {
  const [first] = opened;
  if (first === undefined) throw new Error("INSTANCES must be at least 1");
  const ids: number[] = [];
  for (const person of names) ids.push((await first.connect({ person })).id);
  serverLog = "";
  const began = performance.now();
  for (const { sync } of opened) sync.start();
  await Promise.all(ids.map((id, at) => opened[at % instances]?.run(id)));
  const seconds = (performance.now() - began) / 1000;
  const lines = serverLog.split("\n");
  const kinds = Map.groupBy(
    lines.filter((line) => line.includes("ERROR:")),
    (line) => line.replace(/^.*ERROR:\s+/, ""),
  );
  console.log(
    `${people} first syncs of ${pages} pages on ${instances} instances in ${seconds.toFixed(1)} s, ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}\n`,
  );
  console.log(
    table(
      ["error in the log of PostgreSQL", "lines"],
      [...kinds].map(([kind, found]) => [kind, String(found.length)]),
    ),
  );
  const statements = Map.groupBy(
    lines.filter((line) => line.includes("STATEMENT:")),
    (line) => line.replace(/^.*STATEMENT:\s+/, "").slice(0, 70),
  );
  console.log(
    `\n${table(
      ["in the statement", "lines"],
      [...statements].map(([kind, found]): [string, string] => [kind, String(found.length)]),
    )}`,
  );
} finally {
  for (const each of opened) await each.close();
  await standIn.close();
  await server.stop();
  await rm(folder, { recursive: true });
}

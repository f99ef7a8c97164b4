import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { signIn } from "../../scripts/tour/sign-in.ts";
import { startClew } from "../../test/support/clew-process.ts";
import { fillDataFolder, largeTargets } from "./large.ts";
import { type Measurement, measure, type Target } from "./load.ts";
import { readTargets } from "./targets.ts";

/**
 * Requests per second of the V1 operations with a service token, beside a bare Fastify route that answers a
 * constant: same machine, same run, one core for each server, the load on the others. Rounds alternate, so that
 * what else the machine does weighs on both alike; the median round counts.
 */
const rounds = Number(process.env.ROUNDS ?? 3);
const seconds = Number(process.env.SECONDS ?? 5);
const connections = 16;
const warmUp = Number(process.env.WARM_UP ?? 8);
/** Pages of a made-up workspace; the sample workspace where it is not set. */
const pages = Number(process.env.PAGES ?? 0);

/** What each operation should reach of the bare route on the sample workspace. */
const aims: Readonly<Record<string, number>> = { node: 0.5, neighbors: 0.4, path: 0.4, search: 0.4 };

const dataDir = await mkdtemp(join(tmpdir(), "clew-bench-"));
const large = pages > 0 ? await fillDataFolder(dataDir, pages) : null;
const clew = await startClew({
  DATA_DIR: dataDir,
  LOG_LEVEL: "silent",
  RATE_LIMIT_TOKEN: "0",
  RATE_LIMIT_SESSION: "0",
  SYNC_INTERVAL: "0",
});
const bare = fork(join(import.meta.dirname, "bare.ts"));
try {
  const [bareUrl] = await once(bare, "message");
  pin(clew.pid, 0);
  pin(bare.pid, 0);
  for (let core = 1; core < Math.min(2, cpus().length); core += 1) pin(process.pid, core);
  const targets = large
    ? await largeTargets(clew.url, large)
    : await readTargets(clew.url, await signIn(clew.url));
  await report([
    { name: "bare route", pid: bare.pid ?? 0, urls: [String(bareUrl)], token: null },
    ...targets.map((target) => ({ ...target, pid: clew.pid })),
  ]);
} finally {
  bare.kill();
  await clew.kill();
  await rm(dataDir, { recursive: true });
}

/** Binds a process to one core where the machine can do that. */
function pin(pid: ChildProcess["pid"], core: number): void {
  spawnSync("taskset", ["-a", "-p", "-c", String(core), String(pid)], { stdio: "ignore" });
}

async function report(targets: readonly Target[]): Promise<void> {
  const measured = new Map(targets.map(({ name }) => [name, [] as Measurement[]]));
  // A server runs for days: what counts is the code once it is compiled.
  for (const target of targets) await measure(target, { connections, seconds: warmUp });
  for (let round = 0; round < rounds; round += 1) {
    for (const target of targets)
      measured.get(target.name)?.push(await measure(target, { connections, seconds }));
  }
  const bareRate = median(measured.get("bare route") ?? []).requestsPerSecond;
  console.log(
    `${cpus()[0]?.model}, Node ${process.version}, ${connections} connections, ${rounds} × ${seconds} s\n`,
  );
  console.log("| route | requests/s | CPU µs a request | p50 ms | p99 ms | of the bare route | aim |");
  console.log("|---|---:|---:|---:|---:|---:|---:|");
  for (const [name, all] of measured) {
    const { requestsPerSecond, cpuMicros, p50, p99 } = median(all);
    const rate = Math.round(requestsPerSecond);
    const ratio = (requestsPerSecond / bareRate).toFixed(2);
    console.log(
      `| ${name} | ${rate} | ${cpuMicros.toFixed(1)} | ${p50} | ${p99} | ${ratio} | ${aims[name] ?? ""} |`,
    );
  }
}

/** The measurement in the middle by requests per second. */
function median(all: readonly Measurement[]): Measurement {
  const middle = all.toSorted((a, b) => a.requestsPerSecond - b.requestsPerSecond)[
    Math.floor(all.length / 2)
  ];
  if (!middle) throw new Error("Nothing was measured.");
  return middle;
}

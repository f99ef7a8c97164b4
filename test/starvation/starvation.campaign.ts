import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { newDatabase } from "../../scripts/postgres.ts";
import { playStarvation } from "./scenario.ts";

/**
 * Fifty first syncs of 10 000 pages beside 500 of 50 pages in one process, in virtual time: `npm run
 * campaign starvation`. The exit code is 1 if a sync fails, if a small workspace is not complete within 60 s of its
 * sign-in, or if the process exceeds its memory bound. LARGE, LARGE_PAGES, SMALL, SMALL_PAGES and
 * ARRIVAL_SECONDS change the numbers; TMPDIR says where the database is, some 2 GB. With INSTANCES=2, two sync services share
 * the work on PostgreSQL, with 200 pages to a large workspace by default: its writes take real time.
 */
const number = (name: string, standard: number) => Number(process.env[name] ?? standard);
const instances = number("INSTANCES", 1);
const large = { count: number("LARGE", 50), pages: number("LARGE_PAGES", instances === 1 ? 10_000 : 200) };
const small = { count: number("SMALL", 500), pages: number("SMALL_PAGES", 50) };
const arrivalSeconds = number("ARRIVAL_SECONDS", 60);

/** The memory bound of the process in MB: the syncs' budget of 256, and as much for everything else. */
const bound = 512;

const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20);
let mostHeld = 0;
let mostResident = 0;

/** Collects garbage first, so that only live memory is measured. */
function measure(): number {
  mostResident = Math.max(mostResident, process.memoryUsage.rss());
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  mostHeld = Math.max(mostHeld, heapUsed + external);
  return heapUsed + external;
}

const folder = await mkdtemp(join(tmpdir(), "clew-starvation-"));
const server = instances === 1 ? null : await newDatabase();
const began = performance.now();
try {
  console.log(
    `${large.count} first syncs of ${large.pages} pages beside ${small.count} of ${small.pages}, who sign in within ` +
      `${arrivalSeconds} s, at ${instances} instances; ${cpus()[0]?.model}, Node ${process.version}`,
  );
  const summary = await playStarvation({
    location: server
      ? { kind: "postgres", url: server.url }
      : { kind: "sqlite", path: join(folder, "clew.sqlite") },
    instances,
    large,
    small,
    arrivalSeconds,
    writeMs: 1,
    onSecond: (second) => {
      if (second % 20 !== 0) return;
      const held = measure();
      if (second % 300 === 0)
        console.log(
          `${second / 60} min: ${megabytes(held)} MB held, ${Math.round((performance.now() - began) / 1000)} s`,
        );
    },
  });
  console.log(
    [
      `all complete after ${Math.round((performance.now() - began) / 1000)} s, ${Math.round(summary.largeWhole / 60)} min of virtual time`,
      `the slowest small workspace: titles after ${summary.smallTitles} s, whole after ${summary.smallWhole} s`,
      `the slowest large one: titles after ${summary.largeTitles} s`,
      `memory: ${megabytes(mostHeld)} MB held at most (bound ${bound}), ${megabytes(mostResident)} MB resident`,
    ].join("\n"),
  );
  if (megabytes(mostHeld) > bound) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true });
  await server?.stop();
}

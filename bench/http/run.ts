import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { startClew } from "../../test/support/clew-process.ts";
import { signIn } from "../../test/support/session.ts";
import { fillDatabase, largeRows } from "./large.ts";
import { type Measurement, measure, type Operation, type Row, type Target } from "./load.ts";
import { pin } from "./pin.ts";
import { sampleRows } from "./targets.ts";

/**
 * Compares the cost of V1 operations with a service token to that of Fastify routes that serialise prepared objects of the
 * same shape and size. Both servers run on one core of the same machine, the load generator on another. Rounds alternate,
 * so that other work of the machine affects both servers alike. The median round counts.
 */
const rounds = Number(process.env.ROUNDS ?? 3);
const seconds = Number(process.env.SECONDS ?? 5);
const connections = 16;
const warmUp = Number(process.env.WARM_UP ?? 8);
/** Pages of a generated workspace; the sample workspace if it is not set. */
const pages = Number(process.env.PAGES ?? 0);
/** Operations to measure, comma-separated; all if it is not set. */
const wanted = process.env.ONLY?.split(",");

/** The lowest ratio to the reference that new questions should reach. */
const aims: Readonly<Record<Operation, number>> =
  pages > 0
    ? { node: 0.15, neighbors: 0.15, paths: 0.15, search: 0.15 }
    : { node: 0.7, neighbors: 0.5, paths: 0.5, search: 0.5 };

/** Number of answers that the reference of a row cycles through. */
const answersOfReference = 200;

/** A row with its reference, and the measurements of both in each round. */
interface Measured {
  readonly row: Row;
  readonly target: Target;
  readonly reference: Target;
  readonly rounds: { readonly clew: Measurement; readonly reference: Measurement }[];
}

const dataDir = await mkdtemp(join(tmpdir(), "clew-bench-"));
const large =
  pages > 0 ? await fillDatabase({ kind: "sqlite", path: join(dataDir, "clew.db") }, pages) : null;
const clew = await startClew({
  DATA_DIR: dataDir,
  LOG_LEVEL: "silent",
  RATE_LIMIT_TOKEN: "0",
  RATE_LIMIT_SESSION: "0",
  SYNC_INTERVAL: "0",
});
const reference = fork(join(import.meta.dirname, "reference.ts"));
try {
  const plain = large ? await largeRows(clew.url, large) : await sampleRows(clew.url, await signIn(clew.url));
  const all = plain.flatMap((row): Row[] =>
    row.asked === "new" ? [row, { ...row, encoding: "br" }, { ...row, encoding: "gzip" }] : [row],
  );
  const rows = all.filter(({ operation }) => wanted?.includes(operation) ?? true);
  const bodies = Object.fromEntries(
    await Promise.all(rows.map(async (row) => [nameOf(row), await answersTo(row)])),
  );
  reference.send(bodies);
  const [referenceUrl] = await once(reference, "message");
  pin(clew.pid, 0);
  pin(reference.pid, 0);
  pin(process.pid, 1);
  await report(
    rows.map((row) => ({
      row,
      target: { urls: row.urls, token: row.token, encoding: row.encoding, pid: clew.pid },
      reference: {
        urls: [new URL(nameOf(row), String(referenceUrl)).href],
        token: null,
        pid: reference.pid ?? 0,
      },
      rounds: [],
    })),
  );
} finally {
  reference.kill();
  await clew.kill();
  await rm(dataDir, { recursive: true });
}

function nameOf({ operation, asked }: Row): string {
  return `${operation}-${asked}`;
}

/** Clew's answers to some of a row's questions, evenly spaced. */
async function answersTo({ urls, token }: Row): Promise<unknown[]> {
  const step = Math.max(1, Math.floor(urls.length / answersOfReference));
  const answers: unknown[] = [];
  for (const url of urls.filter((_, index) => index % step === 0)) {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    answers.push(await response.json());
  }
  return answers;
}

async function report(all: readonly Measured[]): Promise<void> {
  // Servers run for days, so compiled code is measured.
  for (const { target, reference } of all) {
    await measure(target, { connections, seconds: warmUp });
    await measure(reference, { connections, seconds: warmUp / 4 });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { target, reference, rounds } of all) {
      const load = { connections, seconds };
      rounds.push({ clew: await measure(target, load), reference: await measure(reference, load) });
    }
  }
  const model = cpus()[0]?.model;
  console.log(`${model}, Node ${process.version}, ${connections} connections, ${rounds} × ${seconds} s\n`);
  console.log(
    "| operation | questions | encoding | bytes | requests/s | CPU µs per request | CPU µs of the reference | ratio | aim | p50 ms | p99 ms | longest ms |",
  );
  console.log("|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
  for (const { row, rounds } of all) {
    const { clew: own, reference: other } = median(rounds);
    const isJudged = row.encoding === undefined && (row.asked === "new" || row.operation === "node");
    const cells = [
      row.operation,
      row.asked,
      row.encoding ?? "",
      Math.round(own.bytes),
      Math.round(own.requestsPerSecond),
      own.cpuMicros.toFixed(1),
      other.cpuMicros.toFixed(1),
      ratio({ clew: own, reference: other }).toFixed(2),
      isJudged ? aims[row.operation] : "",
      own.p50,
      own.p99,
      own.longest,
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
}

/** The reference's processor time divided by Clew's: 1 if both are equally fast. */
function ratio({ clew, reference }: Measured["rounds"][number]): number {
  return reference.cpuMicros / clew.cpuMicros;
}

function median(rounds: Measured["rounds"]): Measured["rounds"][number] {
  const middle = rounds.toSorted((a, b) => ratio(a) - ratio(b))[Math.floor(rounds.length / 2)];
  if (!middle) throw new Error("No round was measured.");
  return middle;
}

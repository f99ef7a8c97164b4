import { mkdtemp, rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { type ClewProcess, startClew } from "../../test/support/clew-process.ts";
import { signIn } from "../../test/support/session.ts";
import { measure, type Row } from "./load.ts";
import { pin } from "./pin.ts";
import { sampleRows } from "./targets.ts";

/**
 * Compares the processor time of requests to a Clew that keeps what tokens read (APP-9) with that of one that does not. Both run on one
 * core, the load generator on another. Rounds alternate, each time with another one first, and the median of their ratios counts.
 */
const rounds = Number(process.env.ROUNDS ?? 9);
const seconds = Number(process.env.SECONDS ?? 2);
const warmUp = Number(process.env.WARM_UP ?? 4);
const wanted = process.env.ONLY?.split(",");
const connections = 16;

/** The share of a request that it may cost. */
const aim = 0.05;

interface Side {
  readonly clew: ClewProcess;
  readonly rows: readonly Row[];
}

const folder = await mkdtemp(join(tmpdir(), "clew-bench-"));
const started: ClewProcess[] = [];
try {
  const [kept, off] = [await start("30"), await start("0")];
  pin(process.pid, 1);
  console.log(
    `${cpus()[0]?.model}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}, ${connections} connections, ${rounds} × ${seconds} s\n`,
  );
  console.log("| operation | CPU µs, kept | CPU µs, off | costs | quartiles | aim |");
  console.log("|---|---:|---:|---:|---:|---:|");
  for (const [index, row] of kept.rows.entries()) {
    const other = off.rows[index];
    const isJudged = row.asked === "new" || row.operation === "node";
    if (other === undefined || !isJudged || !(wanted?.includes(row.operation) ?? true)) continue;
    console.log(await compare([kept.clew, row], [off.clew, other]));
  }
} finally {
  for (const clew of started) await clew.kill();
  await rm(folder, { recursive: true });
}

async function start(days: string): Promise<Side> {
  const clew = await startClew({
    DATA_DIR: join(folder, days),
    LOG_LEVEL: "silent",
    RATE_LIMIT_TOKEN: "0",
    RATE_LIMIT_SESSION: "0",
    SYNC_INTERVAL: "0",
    ACTIVITY_DAYS: days,
  });
  started.push(clew);
  const rows = await sampleRows(clew.url, await signIn(clew.url));
  pin(clew.pid, 0);
  return { clew, rows };
}

type Target = readonly [clew: ClewProcess, row: Row];

async function compare(kept: Target, off: Target): Promise<string> {
  const ask = ([clew, { urls, token }]: Target, duration: number) =>
    measure({ urls, token, pid: clew.pid }, { connections, seconds: duration });
  for (const target of [kept, off]) await ask(target, warmUp);
  const measured: { kept: number; off: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [first, second] = round % 2 === 0 ? [kept, off] : [off, kept];
    const [one, other] = [await ask(first, seconds), await ask(second, seconds)];
    const [own, without] = first === kept ? [one, other] : [other, one];
    measured.push({ kept: own.cpuMicros, off: without.cpuMicros });
  }
  const sorted = measured.toSorted((one, other) => one.kept / one.off - other.kept / other.off);
  const at = (share: number) => sorted[Math.floor(share * (rounds - 1))] ?? { kept: Number.NaN, off: 1 };
  const cost = ({ kept, off }: { kept: number; off: number }) => `${(100 * (kept / off - 1)).toFixed(1)} %`;
  const cells = [
    kept[1].operation,
    at(0.5).kept.toFixed(1),
    at(0.5).off.toFixed(1),
    cost(at(0.5)),
    `${cost(at(0.25))} to ${cost(at(0.75))}`,
    `${100 * aim} %`,
  ];
  return `| ${cells.join(" | ")} |`;
}

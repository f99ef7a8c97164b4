import { startTestServer } from "../../scripts/postgres.ts";
import { openStage } from "../support/stage.ts";
import { type Quantity, quantities, quantityNames } from "./gauges.ts";
import { runSoak } from "./scenario.ts";
import { blockMeans, estimateSlope, judge, type Slope } from "./slopes.ts";

/**
 * Hours of load (OPS-9, LIM-3): `MINUTES=60 LOAD=80 INSTANCES=1 SEED=1 npm run campaign soak`. It measures the ceiling, then keeps LOAD
 * per cent of it coming, whether or not Clew keeps up, while people sign in, tokens are rotated and pages are edited. One
 * instance has SQLite, several share a PostgreSQL. The exit code is 1 if an answer is neither right nor a refusal that says when
 * to come again, or if a quantity grows faster than gauges.ts allows. LEAK=1 plants a leak, which must be seen: then the exit code is
 * 0 only if memory grows.
 */
const number = (name: string, standard: number) => Number(process.env[name] ?? standard);
const minutes = number("MINUTES", 60);
const share = number("LOAD", 80);
const instances = number("INSTANCES", 1);
const seed = number("SEED", 1);
const leaks = process.env.LEAK === "1";

/** Above the ceiling, the longest that the slowest hundredth of the served answers may take, in milliseconds. */
const mostAboveCeiling = 5_000;

const perHour = ({ perHour, low, high }: Slope) =>
  `${perHour.toFixed(1)} an hour (${low.toFixed(1)} to ${high.toFixed(1)})`;

const warmUpMs = Math.min(180_000, minutes * 15_000);
const server = instances === 1 ? null : await startTestServer({ isDurable: true });
const stage = await openStage();
try {
  const outcome = await runSoak(stage, {
    seed,
    share: share / 100,
    instances,
    databaseUrl: server?.url ?? null,
    pages: number("PAGES", 300),
    ceilingMs: 10_000,
    warmUpMs,
    measuredMs: minutes * 60_000,
    sampleMs: Math.min(3_000, minutes * 1_000),
    leaks,
    report: console.log,
  });
  const { ceiling, served, refused, unsent, wrong, chores, series } = outcome;
  const where = instances === 1 ? "SQLite" : `${instances} instances on PostgreSQL`;
  console.log(
    `\n${where}, ${share} % of ${Math.round(ceiling)} answers a second, ${minutes} min after ${warmUpMs / 1000} s of warm-up${leaks ? ", with a planted leak" : ""}`,
  );
  console.log(
    `${served} served, ${refused} refused, ${unsent} not sent, others: ${JSON.stringify(wrong)}; beside them ${JSON.stringify(chores)}`,
  );
  const slopeOf = (name: Quantity | "p50" | "p99") => estimateSlope(series.get(name) ?? []);
  const growing: Quantity[] = [];
  for (const name of quantityNames) {
    const { unit, mostPerHour, of } = quantities[name];
    const slope = slopeOf(name);
    const most = of === "all" ? mostPerHour : mostPerHour * instances;
    const verdict = judge(slope, most);
    if (verdict === "grows") growing.push(name);
    console.log(`${name}: ${slope.mean.toFixed(1)} ${unit}, ${perHour(slope)}; at most ${most}: ${verdict}`);
  }
  // They show whether it grew all the time, or went up and down.
  for (const name of ["memory", "heap"] as const) {
    const means = blockMeans(series.get(name) ?? []).map(({ value }) => value.toFixed(0));
    console.log(`${name} over the run: ${means.join(" ")}`);
  }
  const [p50, p99] = [slopeOf("p50"), slopeOf("p99")];
  console.log(
    `answers: p50 ${p50.mean.toFixed(1)} ms, p99 ${p99.mean.toFixed(1)} ms, which changes by ${perHour(p99)}`,
  );
  const faults = Object.entries(wrong).map(([what, count]) => `${count} × ${what}`);
  if (served === 0) faults.push("nothing was served");
  if (share > 100 && p99.mean > mostAboveCeiling) faults.push(`p99 above ${mostAboveCeiling} ms`);
  const isLeakSeen = growing.includes("memory") || growing.includes("heap");
  if (!leaks) faults.push(...growing.map((name) => `${name} grows`));
  else if (!isLeakSeen) faults.push("the planted leak was not seen");
  const end = leaks ? "the planted leak was seen" : "no fault";
  console.log(faults.length === 0 ? end : `✖ ${faults.join(", ")}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await stage.close();
  await server?.stop();
}

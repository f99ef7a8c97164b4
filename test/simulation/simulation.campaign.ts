// First: the modules of Clew and of the provider get what it replaces.
import "./machine/builtins.ts";

/**
 * Two instances of Clew on one database, their clocks, the network and the provider in one process and in virtual time, with faults and kills
 * by seed (SYNC-5, SYNC-9, OPS-6, OPS-8): `SEEDS=1000 SEED=1 npm run campaign simulation`. MINUTES bounds the time. AGAIN=10 runs every tenth
 * seed twice, which must give the same events. TRACE=1 prints the events and the logs. STOP_AFTER=1 ends at the first broken seed. Prints each
 * seed that broke a property, which repeats with it, and one line for all; the exit code is 1 if there is one.
 */
const seeds = Number(process.env.SEEDS ?? 100);
const first = Number(process.env.SEED ?? Date.now() % 1_000_000);
const again = Number(process.env.AGAIN ?? 10);
const endsAt = performance.now() + Number(process.env.MINUTES ?? 60) * 60_000;
const mostBroken = Number(process.env.STOP_AFTER ?? Number.POSITIVE_INFINITY);
const onLine = process.env.TRACE === "1" ? console.log : null;

/** Lines of a broken seed that are printed. */
const shownLines = 40;

const { runSeed, Violation } = await import("./simulation.ts");
type Course = Awaited<ReturnType<typeof runSeed>>;

const courses: Course[] = [];
const broken: number[] = [];
let repeated = 0;
const before = process.cpuUsage();
const isDone = () => performance.now() >= endsAt || broken.length >= mostBroken;
for (let seed = first; seed < first + seeds && !isDone(); seed += 1) {
  try {
    const course = await runSeed(seed, onLine);
    if (again > 0 && seed % again === 0) {
      const { digest } = await runSeed(seed);
      if (digest !== course.digest) throw new Error(`seed ${seed}: the events differ the second time`);
      repeated += 1;
    }
    courses.push(course);
  } catch (error) {
    broken.push(seed);
    if (error instanceof Violation && onLine === null) console.log(error.lines.slice(-shownLines).join("\n"));
    console.log(
      `${error instanceof Error ? error.message : error}\nSEED=${seed} SEEDS=1 TRACE=1 repeats it\n`,
    );
  }
}
const { user, system } = process.cpuUsage(before);
const sum = (of: (course: Course) => number) => courses.reduce((total, course) => total + of(course), 0);
const outcomes = new Map<string, number>();
for (const { syncs } of courses)
  for (const [outcome, count] of Object.entries(syncs))
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + count);

const run = courses.length + broken.length;
console.log(
  `\n${run} seeds from ${first}: ${broken.length} broken${broken.length > 0 ? ` (${broken.join(", ")})` : ""}; ${repeated} of them repeated with the same events;`,
);
console.log(
  `${Math.round(sum(({ seconds }) => seconds) / 60)} virtual minutes, ${sum(({ events }) => events)} events, ${sum(({ kills }) => kills)} kills, ${sum(({ disturbances }) => disturbances)} other disturbances, ${sum(({ judged }) => judged)} calls judged;`,
);
console.log(`syncs: ${[...outcomes].map(([outcome, count]) => `${count} × ${outcome}`).join(", ")};`);
console.log(
  `${((user + system) / 1e6 / (run + repeated)).toFixed(2)} s of processor time for each simulation`,
);
process.exitCode = broken.length === 0 ? 0 : 1;

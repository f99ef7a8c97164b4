import { type Kind, kinds } from "./disturbance.ts";
import { type Course, runScenario } from "./scenario.ts";

/**
 * Syncs while the provider fails (SYNC-4, SYNC-5, SYNC-7): `SEEDS=200 SEED=1 npm run campaign faults`. Each seed is a
 * workspace, and either one kind of fault, in turn, or a random combination; `KINDS="500,lists lag"` sets them.
 * Prints a line for each seed, then one for all; the exit code is 1 if the invariant (`invariant.ts`) was broken. The
 * faults of a seed that breaks it are reduced to those that it takes.
 */
const seeds = Number(process.env.SEEDS ?? 200);
const first = Number(process.env.SEED ?? Date.now() % 1_000_000);
const chosen = process.env.KINDS?.split(",");

const courses: Course[] = [];
let broken = 0;
for (let seed = first; seed < first + seeds; seed += 1) {
  const some = kindsOf(seed);
  try {
    const course = await runScenario(seed, some);
    courses.push(course);
    console.log(`seed ${seed}, ${some.join(", ")}: ${course.outcomes.join(", ")}; ${course.faults} faults`);
  } catch (error) {
    broken += 1;
    const fewest = await reduced(seed, some);
    console.log(
      `seed ${seed} with ${some.join(", ")}: BROKEN, KINDS="${fewest.kinds.join(",")}" SEED=${seed} SEEDS=1`,
    );
    console.log(fewest.error ?? error);
  }
}

const faults = courses.reduce((sum, course) => sum + course.faults, 0);
const outcomes = Object.entries(
  Object.groupBy(
    courses.flatMap((course) => course.outcomes),
    (outcome) => outcome,
  ),
);
console.log(
  `${seeds} seeds from ${first}: ${broken} broken; ${faults} faults; ` +
    outcomes.map(([outcome, all]) => `${all?.length} × ${outcome}`).join(", "),
);
process.exitCode = broken === 0 ? 0 : 1;

/** Each kind alone, alternating with random combinations. */
function kindsOf(seed: number): readonly Kind[] {
  if (chosen !== undefined) return kinds.filter((kind) => chosen.includes(kind));
  const one = kinds[Math.floor(seed / 2) % kinds.length];
  if (seed % 2 === 0 && one !== undefined) return [one];
  return kinds.filter((_, index) => (Math.imul(seed, 2654435761) >>> (index % 24)) % 3 === 0);
}

/** Removes kinds of faults one by one, as long as the seed still breaks the invariant. */
async function reduced(
  seed: number,
  some: readonly Kind[],
): Promise<{ kinds: readonly Kind[]; error?: unknown }> {
  for (const kind of some) {
    const fewer = some.filter((other) => other !== kind);
    if (fewer.length === 0) break;
    const error = await runScenario(seed, fewer).then(
      () => null,
      (thrown: unknown) => ({ thrown }),
    );
    if (error !== null) {
      const further = await reduced(seed, fewer);
      return { error: error.thrown, ...further };
    }
  }
  return { kinds: some };
}

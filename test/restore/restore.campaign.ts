import { restoreUnderFire } from "./scenario.ts";

/** Kills restores for `SEEDS` seeds, beginning with `SEED`. The exit code is 1 if a seed fails. */
const first = Number(process.env.SEED ?? 1);
const count = Number(process.env.SEEDS ?? 100);
let broken = 0;
for (let seed = first; seed < first + count; seed += 1) {
  const ends: (() => unknown)[] = [];
  try {
    const said = await restoreUnderFire(
      { after: (end) => void (end && ends.push(() => Reflect.apply(end, null, []))) },
      seed,
    );
    console.log(`seed ${seed}: ${said}`);
  } catch (error) {
    broken += 1;
    console.error(`seed ${seed}: BROKEN`, error);
  }
  for (const end of ends) await end();
}
console.log(`${count} restores, ${broken} broken`);
process.exitCode = broken === 0 ? 0 : 1;

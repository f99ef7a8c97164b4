import { fuzz } from "./fuzz.ts";
import { grammars } from "./grammars/all.ts";
import { saveInput } from "./saved.ts";

/**
 * Inputs of every grammar against a running Clew: `SEED=1 RUNS=1000 GRAMMAR=where npm run campaign fuzz`. Prints a line for
 * each grammar; the exit code is 1 if an invariant was broken. The input that broke it is saved, and `npm test` tries
 * it from then on.
 */
const runs = Number(process.env.RUNS ?? 2_000);
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
const chosen = process.env.GRAMMAR;

const some = grammars.filter(({ name }) => chosen === undefined || name === chosen);
if (some.length === 0)
  throw new Error(`There is no grammar ${chosen}. There are ${grammars.map(({ name }) => name).join(", ")}.`);

for (const grammar of some) {
  const trial = await grammar.open();
  const begun = process.cpuUsage();
  try {
    const wanted = Math.max(1, Math.round((runs * grammar.perThousand) / 1_000));
    const watchesGrowth = wanted >= 300;
    const work = 1_000 / grammar.perThousand;
    const { tried, faults, growth } = await fuzz(trial, { seed, runs: wanted, watchesGrowth, work });
    const { user, system } = process.cpuUsage(begun);
    const seconds = ((user + system) / 1e6).toFixed(1);
    console.log(
      `${grammar.name}: seed ${seed}, ${tried} inputs, ${seconds} s of processor time` +
        `${growth === null ? "" : `, ${growth}`}: ${faults.length === 0 ? "every invariant held" : "BROKEN"}`,
    );
    for (const { fault, input } of faults) {
      process.exitCode = 1;
      console.log(`  ${fault}`);
      if (input !== undefined)
        console.log(`  saved as ${await saveInput({ grammar: grammar.name, fault, input })}`);
    }
  } finally {
    await trial.close();
  }
}

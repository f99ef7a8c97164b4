import { type Round, runRound } from "./scenario.ts";

/**
 * Syncs whose process is ended by `kill -9`, again and again (SYNC-6, OPS-6): `ROUNDS=100 SEED=1 npm run
 * campaign kill-sync`. Prints a line for each round, then one for all; the exit code is 1 if anything was lost or read
 * twice. A seed decides at which calls to the provider the process is killed; what it is doing then depends on the machine.
 */
const rounds = Number(process.env.ROUNDS ?? 100);
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);

const survived: Round[] = [];
for (let round = 0; round < rounds; round += 1) {
  try {
    const report = await runRound(seed + round);
    survived.push(report);
    console.log(`seed ${seed + round}: ${JSON.stringify(report)}`);
  } catch (error) {
    console.log(error);
  }
}

const kills = Object.groupBy(
  survived.flatMap(({ killedWhile }) => killedWhile),
  (moment) => moment,
);
const again = survived.reduce((sum, { repeatedTexts }) => sum + repeatedTexts, 0);
console.log(
  [
    `seed ${seed}: ${rounds} rounds, ${rounds - survived.length} with a loss`,
    `kills: ${Object.entries(kills)
      .map(([moment, all]) => `${all?.length} in ${moment}`)
      .join(", ")}`,
    `texts requested again: ${again}`,
  ].join("; "),
);
process.exitCode = survived.length === rounds ? 0 : 1;

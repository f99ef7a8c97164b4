import { openStage } from "../support/stage.ts";
import { type Moment, type Round, runRound, runUndisturbed } from "./scenario.ts";

/**
 * `kill -9` again and again (OPS-6): `ROUNDS=50 SEED=1 npm run campaign kill`. Prints a line for each round, then one for
 * all of them; the exit code is 1 if anything was lost. A seed decides the times of the kills and the requests;
 * what the process is doing at that moment depends on the machine.
 */
const rounds = Number(process.env.ROUNDS ?? 50);
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);

const pages = 130;

const stage = await openStage();
const survived: Round[] = [];
let losses = 0;
try {
  const undisturbed = await runUndisturbed(stage, pages);
  const { startTime, syncTime } = undisturbed;
  console.log(
    `undisturbed: ready after ${Math.round(startTime)} ms, synced ${Math.round(syncTime)} ms later`,
  );
  for (let round = 0; round < rounds; round += 1) {
    try {
      const report = await runRound(seed + round, undisturbed);
      survived.push(report);
      console.log(`seed ${seed + round}: ${JSON.stringify(report)}`);
    } catch (error) {
      losses += 1;
      console.log(error);
    }
  }
} finally {
  await stage.close();
}

const total = (count: (round: Round) => number) => survived.reduce((sum, round) => sum + count(round), 0);
const kills = (moment: Moment) =>
  total(({ killedWhile }) => killedWhile.filter((killed) => killed === moment).length);
const inSync = survived.filter(({ killedWhile }) => killedWhile.includes("syncing")).length;
console.log(
  [
    `seed ${seed}: ${rounds} rounds, ${losses} with a loss`,
    `kills: ${kills("syncing")} during a sync (in ${inSync} rounds), ${kills("starting")} during a start, ` +
      `${kills("resting")} at rest`,
    `acknowledged: ${total(({ tokens }) => tokens)} tokens, ${total(({ revocations }) => revocations)} revocations, ` +
      `${total(({ sessions }) => sessions)} sessions, ${total(({ logouts }) => logouts)} logouts`,
  ].join("; "),
);
process.exitCode = losses === 0 && survived.length > 0 ? 0 : 1;

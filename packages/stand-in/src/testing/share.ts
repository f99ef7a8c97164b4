import { inOrderOf } from "./random.ts";

/** The seed of a run of the tests: TEST_SEED, which `npm test` prints and passes on. */
export const runSeed = Number(process.env.TEST_SEED ?? Date.now() % 0xffff_ffff);

/** Whether the run takes every case: `npm run test:whole`. */
const isWhole = process.env.TEST_WHOLE === "1";

/**
 * Draws `count` of the cases of a test, in their order, and prints how many. `npm run test:whole` takes all of them, and so
 * does every run if there are no more. `what` names the cases in the line, and has each test draw others.
 */
export function share<Case>(what: string, cases: readonly Case[], count: number): readonly Case[] {
  if (isWhole || count >= cases.length) return cases;
  const drawn = new Set(inOrderOf(runSeed, [...cases.keys()], (index) => `${what} ${index}`).slice(0, count));
  process.stdout.write(`${what}: ${count} of ${cases.length}, drawn with TEST_SEED=${runSeed}\n`);
  return cases.filter((_, index) => drawn.has(index));
}

/** The number of repetitions that a test makes: `few` of them, or `all` with `npm run test:whole`. */
export const repetitions = (few: number, all: number): number => (isWhole ? all : few);

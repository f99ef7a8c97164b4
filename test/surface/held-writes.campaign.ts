import { holdWritesOverTheEnd } from "./held-writes.ts";
import { openSurface } from "./surface.ts";

/**
 * Requests that are completed only after the end of their session: `ROUNDS=100 SEED=1 npm run campaign held-writes`. The
 * exit code is 1 if one of them was carried out.
 */
const rounds = Number(process.env.ROUNDS ?? 100);
const firstSeed = Number(process.env.SEED ?? 1);

const surface = await openSurface();
let broken = 0;
try {
  for (let seed = firstSeed; seed < firstSeed + rounds; seed += 1) {
    try {
      await holdWritesOverTheEnd(surface, seed);
    } catch (error) {
      broken += 1;
      console.log(`seed ${seed}:`, error);
    }
  }
} finally {
  await surface.close();
}
console.log(`${rounds} rounds, ${broken} broken`);
process.exitCode = broken === 0 ? 0 : 1;

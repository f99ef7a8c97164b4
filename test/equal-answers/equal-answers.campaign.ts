import { startTestServer } from "../../scripts/postgres.ts";
import { compareAnswers } from "./scenario.ts";

/**
 * Random workspaces served from SQLite and from PostgreSQL, every operation compared (OPS-8): `SEEDS=300 SEED=1 npm run
 * campaign equal`. The exit code is 1 if an answer differs.
 */
const seeds = Number(process.env.SEEDS ?? 300);
const first = Number(process.env.SEED ?? 1);

const server = await startTestServer();
let compared = 0;
let different = 0;
try {
  for (let seed = first; seed < first + seeds; seed += 1) {
    try {
      compared += await compareAnswers(seed, await server.createDatabase(`seed_${seed}`));
    } catch (error) {
      different += 1;
      console.log(`seed ${seed}:`, error);
    }
  }
} finally {
  await server.stop();
}
console.log(
  `seeds ${first} to ${first + seeds - 1}: ${compared} answers compared, ${different} seeds differ`,
);
process.exitCode = different === 0 && compared > 0 ? 0 : 1;

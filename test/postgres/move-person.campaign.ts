import { spawn } from "node:child_process";
import { once } from "node:events";
import { openTestServer } from "../../scripts/postgres.ts";

/**
 * Moves of people to other buckets, killed after each of their steps (OPS-13): `npm run campaign move-person`. The exit code is 1 if
 * anything was lost, or seen where it should not be.
 */
const server = await openTestServer();
const tests = spawn(process.execPath, ["--test", `${import.meta.dirname}/interrupted-moves.test.ts`], {
  env: { ...process.env, TEST_DATABASE_URL: server.url, WHERE: "everywhere" },
  stdio: "inherit",
});
const [code] = await once(tests, "close");
await server.stop();
process.exitCode = code === 0 ? 0 : 1;

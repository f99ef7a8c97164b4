import { test } from "node:test";
import { restoreUnderFire } from "./scenario.ts";

for (let seed = 1; seed <= 8; seed += 1)
  test(`OPS-7: a restore that is killed leaves the old or the restored database, and can be run again (seed ${seed})`, async (t) => {
    t.diagnostic(await restoreUnderFire(t, seed));
  });

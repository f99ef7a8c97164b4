import { test } from "node:test";
import { bareMachine } from "./bare-machine.ts";

/** The npm of Node 20 and 22, which runs every script of every package. */
const npmVersion = "10.8.2";

test("OPS-10: npm start works with npm 10, without a compiler and Python", async (t) => {
  const machine = await bareMachine(npmVersion, { cache: "shared" }).catch((error: unknown) => {
    // Tests need no network: what is neither cached nor to be had cannot be tried. CI has to try it.
    if (process.env.CI) throw error;
    return null;
  });
  if (machine === null) {
    t.skip(`npm ${npmVersion} is neither in npm's cache nor to be had from the registry`);
    return;
  }
  t.after(() => machine.remove());
  await machine.start();
});

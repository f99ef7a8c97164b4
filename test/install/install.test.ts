import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { buildNpmPackage } from "../../packaging/npm/build.ts";
import { ownPlatform } from "../../packaging/stage/dependencies.ts";
import { tourThrough } from "../support/tour.ts";
import { bareMachine } from "./bare-machine.ts";

/** The npm of Node 20 and 22, which runs every script of every package. */
const npmVersion = "10.8.2";

test("OPS-10: npm start works with npm 10, without a compiler and Python", async (t) => {
  const machine = await bareMachine({ npm: npmVersion, cache: "shared", holds: "checkout" }).catch(
    (error: unknown) => {
      // Tests need no network: what is neither cached nor to be had cannot be tried. CI has to try it.
      if (process.env.CI) throw error;
      return null;
    },
  );
  if (machine === null) {
    t.skip(`npm ${npmVersion} is neither in npm's cache nor to be had from the registry`);
    return;
  }
  t.after(() => machine.remove());
  await machine.serve(["npm", "start"]);
});

test("OPS-10: the npm package installs without scripts, and serves the tour", async (t) => {
  const machine = await bareMachine({
    npm: "own",
    cache: "shared",
    holds: "nothing",
    node: process.execPath,
  });
  t.after(() => machine.remove());
  const archive = buildNpmPackage(machine.home, ownPlatform);
  // Nothing but the platform's Node would come from the registry: the machine has a new one.
  const options = ["--offline", "--omit=optional", "--ignore-scripts"];
  const { code, output } = await machine.npm("install", ...options, archive);
  assert.equal(code, 0, output);
  const served = await machine.serve(["node_modules/.bin/clew", "serve"], tourThrough);
  const data = join(machine.home, ".local/state/clew");
  assert.equal(served.code, 0, served.output);
  assert.ok(served.output.includes(`data is kept in ${data}"`), served.output);
  assert.ok(existsSync(join(data, "clew.db")));
});

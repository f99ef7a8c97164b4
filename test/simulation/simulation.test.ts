import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { repetitions, runSeed } from "@clew/stand-in/testing/share";
import { onPostgres } from "../../packages/server/src/store/testing/location.ts";

// A part of the campaign in `simulation.campaign.ts`. It needs a process of its own, since it replaces the timers of one.

const needsFile = { skip: onPostgres && "the simulation is of a database in a file" };
const campaign = fileURLToPath(new URL("simulation.campaign.ts", import.meta.url));

/** Runs the campaign with these variables. */
async function simulate(variables: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ["--max-semi-space-size=64", campaign], {
    env: { ...process.env, ...variables },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [printed, [exitCode]] = await Promise.all([text(child.stdout), once(child, "close")]);
  return { printed, exitCode };
}

test(
  "OPS-6, OPS-8, SYNC-9: a simulation breaks no property, and its seed repeats it",
  needsFile,
  async (t) => {
    const seed = runSeed % 1_000_000;
    t.diagnostic(`seed ${seed}`);
    const seeds = String(repetitions(1, 20));
    const { printed, exitCode } = await simulate({ SEED: String(seed), SEEDS: seeds, AGAIN: "1" });
    assert.equal(exitCode, 0, printed);
    assert.match(
      printed,
      new RegExp(`^${seeds} seeds from ${seed}: 0 broken; ${seeds} of them repeated`, "m"),
    );
  },
);

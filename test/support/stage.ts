import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { dataRoot } from "../../packages/server/src/store/testing/location.ts";
import { type ClewProcess, quiet, type Settings, spawnClew } from "./clew-process.ts";

/** A temporary folder, and the processes that use it. */
export interface Stage {
  readonly folder: string;
  /**
   * Starts a Clew with its data in the folder; by default without rate limits and scheduled syncs. Does not wait until it
   * is ready.
   */
  spawn(settings?: Settings): Promise<ClewProcess>;
  /** The same, and waits until it is ready. */
  start(settings?: Settings): Promise<ClewProcess>;
  /** Registers a cleanup. Cleanups run in reverse order. */
  defer(end: () => Promise<unknown>): void;
  /** Whether the test that the stage is for has failed so far. */
  hasFailed(): boolean;
  /** Ends all processes and removes the folder. */
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const folder = await mkdtemp(join(dataRoot, "clew-"));
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true })];
  const stage: Stage = {
    folder,
    async spawn(settings = {}) {
      const clew = await spawnClew({ DATA_DIR: join(folder, "data"), ...quiet, ...settings });
      stage.defer(() => clew.kill());
      return clew;
    },
    async start(settings) {
      const clew = await stage.spawn(settings);
      await clew.ready();
      return clew;
    },
    defer: (end) => void ends.push(end),
    hasFailed: () => false,
    async close() {
      const faults: unknown[] = [];
      // A failed cleanup must not prevent the others.
      for (const end of ends.splice(0).reverse()) await end().catch((fault: unknown) => faults.push(fault));
      if (faults.length > 0) throw faults[0];
    },
  };
  return stage;
}

/** A stage that closes after the test. */
export async function stageOf(test: TestContext): Promise<Stage> {
  const stage = await openStage();
  test.after(() => stage.close());
  // The types lack it: https://nodejs.org/api/test.html#contextpassed
  const outcome = test as TestContext & { readonly passed: boolean };
  return { ...stage, hasFailed: () => !outcome.passed };
}

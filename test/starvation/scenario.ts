import assert from "node:assert/strict";
import type { DatabaseLocation } from "../../packages/server/src/model/database-location.ts";
import {
  openVirtualSyncing,
  type SyncTimes,
} from "../../packages/server/src/sync/testing/virtual-syncing.ts";

/** Large workspaces that are read for the first time, and people with small ones who sign in during these syncs. */
export interface Scenario {
  /** The file of the database. */
  readonly location: DatabaseLocation;
  /** Instances that share the work; one when left out. */
  readonly instances?: number;
  readonly large: { readonly count: number; readonly pages: number };
  readonly small: { readonly count: number; readonly pages: number };
  /** Seconds after the sign-ins of the large workspaces during which the small ones sign in, evenly spread. */
  readonly arrivalSeconds: number;
  /** Calls per minute for each grant; as in production by default. */
  readonly requestsPerMinute?: number;
  /** Milliseconds of virtual time that each write takes. Writes run one after the other. */
  readonly writeMs: number;
  /** Called every second of virtual time with the number of seconds that have passed. */
  readonly onSecond?: (second: number) => void;
}

/** The times of the slowest workspace, in seconds since its sign-in. */
export interface Summary {
  readonly smallTitles: number;
  readonly smallWhole: number;
  readonly largeTitles: number;
  readonly largeWhole: number;
}

/**
 * Runs a scenario in virtual time. Throws if a sync fails or is incomplete, if the titles of a small workspace cannot be
 * searched within 10 s of its sign-in, or if its sync takes longer than 60 s.
 */
export async function playStarvation(scenario: Scenario): Promise<Summary> {
  const { large, small, arrivalSeconds, onSecond = () => {} } = scenario;
  const syncing = await openVirtualSyncing(scenario);
  const never = new AbortController().signal;
  try {
    const arrive = async () => {
      for (let count = 0; count < large.count; count += 1) await syncing.signIn(large.pages);
      for (let count = 0; count < small.count; count += 1) {
        await syncing.time.sleep((arrivalSeconds * 1000) / small.count, never);
        await syncing.signIn(small.pages);
      }
    };
    await syncing.time.run(arrive());
    let second = arrivalSeconds;
    await syncing.settle(() => {
      second += 1;
      onSecond(second);
    });

    const times = await syncing.times();
    assert.equal(times.length, large.count + small.count);
    for (const { outcome } of times) assert.equal(outcome, "complete");
    const newcomers = times.slice(large.count);
    const summary = {
      smallTitles: slowest(newcomers, ({ titles }) => titles),
      smallWhole: slowest(newcomers, ({ end }) => end),
      largeTitles: slowest(times.slice(0, large.count), ({ titles }) => titles),
      largeWhole: slowest(times.slice(0, large.count), ({ end }) => end),
    };
    assert.ok(summary.smallTitles <= 10, `titles after ${summary.smallTitles} s`);
    assert.ok(summary.smallWhole <= 60, `whole after ${summary.smallWhole} s`);
    return summary;
  } finally {
    await syncing.close();
  }
}

function slowest(times: readonly SyncTimes[], of: (times: SyncTimes) => number | null): number {
  return Math.max(...times.map((one) => of(one) ?? Number.POSITIVE_INFINITY)) / 1000;
}

import assert from "node:assert/strict";
import { seededRandom } from "@clew/stand-in/testing/random";
import { type Disturbance, disturbanceOf, type Kind, united } from "./disturbance.ts";
import { hiddenNodes } from "./expected.ts";
import { assertInvariant, assertSame } from "./invariant.ts";
import { viewsOf } from "./views.ts";
import { createWorld, type World } from "./world.ts";

/** Milliseconds from one scheduled sync to the next. */
const interval = 15 * 60_000;

/** The outcomes of the disturbed syncs of a scenario, and the number of its faults. */
export interface Course {
  readonly outcomes: string[];
  faults: number;
}

/**
 * Runs three disturbed syncs of a workspace that changes in between: a first one, an incremental one, and an incremental
 * or full one. Checks the invariant (`invariant.ts`) after each. Then the faults end, and scheduled syncs must produce the
 * graph of an undisturbed first sync into a fresh database. Throws if a check fails. A seed determines the workspace, the
 * changes and the faults. The workspace is created by at most `maxChanges` additions and edits.
 */
export async function runScenario(seed: number, kinds: readonly Kind[], maxChanges = 110): Promise<Course> {
  const random = seededRandom(seed);
  const size = Math.floor((0.4 + 0.6 * random()) * maxChanges);
  const isFullAtLast = random() < 0.3;
  const world = await createWorld(random, size);
  const course: Course = { outcomes: [], faults: 0 };
  try {
    let didHide = false;
    for (const round of [0, 1, 2]) {
      const isAlone = kinds.length === 1;
      const disturbance = united(kinds.map((kind) => draw(kind, seed, round, { world, isAlone })));
      const isFull = isFullAtLast && round === 2;
      const hides = await disturbedSync(world, disturbance, { seed, round, isFull, didHide, course });
      didHide ||= hides;
      world.pass(interval);
    }
    await assertRecovery(world, didHide);
  } finally {
    await world.close();
  }
  return course;
}

function draw(
  kind: Kind,
  seed: number,
  round: number,
  { world, isAlone }: { world: World; isAlone: boolean },
): Disturbance {
  const random = seededRandom(
    seed * 1000 + round * 100 + [...kind].reduce((sum, c) => sum + c.charCodeAt(0), 0),
  );
  return disturbanceOf(kind, { random, ids: world.ids(), isAlone });
}

interface Round {
  readonly seed: number;
  readonly round: number;
  readonly isFull: boolean;
  /** Whether lists hid something in an earlier round. */
  readonly didHide: boolean;
  readonly course: Course;
}

/** Returns whether lists hid something. */
async function disturbedSync(world: World, disturbance: Disturbance, round: Round): Promise<boolean> {
  const { syncing, connectionId } = world;
  const shown = disturbance.isStale ? viewsOf(await world.undisturbed()) : null;
  world.disturb(disturbance);
  if (round.round > 0) await world.change(seededRandom(round.seed + 7 * round.round), 6);
  const now = viewsOf(await world.undisturbed());
  const past = shown ?? now;
  const before = viewsOf(await world.stored());
  const time = world.clock() + disturbance.clockOff;
  const hidden = hiddenNodes(disturbance, { before, past, now, time });
  if ((await syncing.connection(connectionId)).status === "needs_reauth") await world.reconnect();

  const { connection, report } = await syncing.run(connectionId, { full: round.isFull });
  round.course.outcomes.push(`${report.kind} ${report.outcome}`);
  round.course.faults += world.counts().reduce((sum, count) => sum + count, 0);
  const isFailed = report.outcome === "failed";
  assert.equal(connection.sync.state, isFailed ? "failed" : "idle");
  const mayLinger = report.kind === "incremental" && round.didHide;
  const stored = viewsOf(await world.stored());
  const denied = new Set(disturbance.denied);
  const { hasNewTypes } = disturbance;
  assertInvariant({ report, before, stored, past, now, hidden, denied, hasNewTypes, mayLinger });
  return hidden.size > 0 || hasNewTypes;
}

/**
 * After the faults have ended, the next sync completes with the graph of an undisturbed first sync. If lists hid
 * something, this takes a full sync.
 */
async function assertRecovery(world: World, didHide: boolean): Promise<void> {
  const { syncing, connectionId } = world;
  world.disturb(united([]));
  if ((await syncing.connection(connectionId)).status === "needs_reauth") await world.reconnect();
  if (didHide) await syncing.run(connectionId, { by: "schedule" });
  const { report } = await syncing.run(connectionId, { by: "schedule", full: didHide });
  assert.equal(report.outcome, "complete", `undisturbed: ${JSON.stringify(report)}`);
  assertSame(viewsOf(await world.stored()), viewsOf(await world.undisturbed()));
}

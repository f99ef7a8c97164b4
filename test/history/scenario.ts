import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { integer, pick, type Random, seededRandom } from "@clew/stand-in/testing/random";
import { type Installation, startInstances } from "../instances/instances.ts";
import { signIn } from "../support/session.ts";
import type { Stage } from "../support/stage.ts";
import type { Turn } from "./ask.ts";
import { History } from "./history.ts";
import { Page } from "./page.ts";
import { Person } from "./person.ts";
import { Readers } from "./readers.ts";

/** The disturbances, one at a time. `database` is what the plan does to the database. */
export type Disturbance = "kill" | "pause" | "long pause" | "clock" | "network" | "database";

export interface Plan {
  readonly seed: number;
  readonly instances: number;
  /** Calls of the clients that use one person's credentials. */
  readonly calls: number;
  /** In this order, again and again, a number of calls apart. */
  readonly disturbances: readonly Disturbance[];
  readonly callsBetween: number;
  /** Milliseconds of a pause, of a long one, which outlasts a lease, and of a network that drops. */
  readonly pauseMs: number;
  readonly longPauseMs: number;
  readonly dropMs: number;
  /** Restarts the database, or has it fail over. */
  readonly disturbDatabase: (installation: Installation) => Promise<void>;
  readonly report?: (line: string) => void;
}

/** Clients of one person, and readers of the page that another person syncs. */
const clients = 6;
const readers = 2;

/** The most by which a step moves a clock, in milliseconds, forwards or back. */
const clockStepMs = 5_000;

/**
 * Runs random calls of several clients at several instances, disturbs the instances, and keeps the history of each key. Throws an
 * `AssertionError` with the timelines if a history is not linearizable.
 */
export async function runHistory(stage: Stage, databaseUrl: string, plan: Plan) {
  const history = new History();
  const syncs = new Readers(stage, history);
  const nameOf = (index: number) => `instance ${index + 1}`;
  const installation = await startInstances(stage, databaseUrl, plan.instances, (index, url) =>
    syncs.providerOf(nameOf(index), url),
  );
  const { instances } = installation;
  const random = seededRandom(plan.seed);
  const turnOf = (client: string): Turn => {
    const instance = installation.any(random);
    return { history, client, instance: { name: nameOf(instances.indexOf(instance)), url: instance.url } };
  };
  const first = turnOf("the first client");
  const [name = "", other = ""] = installation.people;
  const person = new Person(first, name);
  await person.arrive(first);
  const page = new Page(first, await signIn(first.instance.url, { person: other }), installation.edit);
  await page.arrive(first);

  let calls = 0;
  let disturbed = 0;
  let disturbing: Promise<void> | null = null;
  const disturb = async () => {
    const kind = plan.disturbances[disturbed % plan.disturbances.length] ?? "kill";
    disturbed += 1;
    plan.report?.(`${calls} calls: ${kind}`);
    await disturbers[kind](installation, random, plan, (index) => syncs.resumed(nameOf(index)));
    disturbing = null;
  };
  const isDone = () => calls >= plan.calls;
  const useCredentials = async (client: string) => {
    while (!isDone()) {
      calls += 1;
      if (calls % plan.callsBetween === 0) disturbing ??= disturb();
      await person.act(turnOf(client), random);
    }
  };
  const readPage = async (client: string) => {
    while (!isDone()) {
      if (random() < 0.1) await page.edit(turnOf(client));
      else await page.read(turnOf(client));
    }
  };
  const syncPage = async (client: string) => {
    while (!isDone()) await page.sync(turnOf(client), () => turnOf(client));
  };
  const numbered = (what: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${what} ${index + 1}`);
  const work = [
    ...numbered("client", clients).map(useCredentials),
    ...numbered("reader", readers).map(readPage),
    syncPage("the syncing client"),
  ].map((each) =>
    each.catch((error: unknown) => {
      // The others stop too.
      calls = plan.calls;
      throw error;
    }),
  );
  const ended = await Promise.allSettled(work);
  await disturbing;
  const failures = ended.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  if (failures.length > 0) throw failures[0];
  const contradictions = history.contradictions();
  assert.ok(contradictions.length === 0, `seed ${plan.seed}\n${contradictions.slice(0, 3).join("\n\n")}`);
  return { ...history.size(), disturbances: disturbed };
}

const disturbers: Readonly<
  Record<
    Disturbance,
    (
      installation: Installation,
      random: Random,
      plan: Plan,
      resumed: (index: number) => void,
    ) => Promise<void>
  >
> = {
  kill: ({ instances }, random) => pick(random, instances).restart(),
  pause: ({ instances }, random, { pauseMs }) => pick(random, instances).pause(pauseMs),
  async "long pause"({ instances }, random, { longPauseMs }, resumed) {
    const index = integer(random, 0, instances.length - 1);
    await instances[index]?.pause(longPauseMs);
    resumed(index);
  },
  async clock({ instances }, random) {
    for (const instance of instances) await instance.setClock(integer(random, -clockStepMs, clockStepMs));
    // Instances read it 50 ms later at most.
    await sleep(100);
  },
  network: ({ instances }, random, { dropMs }) => pick(random, instances).cutOff(dropMs),
  database: (installation, _, { disturbDatabase }) => disturbDatabase(installation),
};

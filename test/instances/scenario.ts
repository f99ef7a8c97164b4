import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { pick, type Random, seededRandom } from "@clew/stand-in/testing/random";
import { call } from "../support/call.ts";
import { clientOf, signIn, waitForSync } from "../support/session.ts";
import type { Stage } from "../support/stage.ts";
import { type Installation, startInstances } from "./instances.ts";
import { act, arrive, drawOperation, type Person, verify } from "./model.ts";

/** The disturbances of the instances, one at a time. */
export type Disturbance = "kill" | "restart of the database" | "network" | "pause";

export interface Plan {
  readonly seed: number;
  readonly instances: number;
  readonly operations: number;
  /** Operations under way at a time. */
  readonly clients: number;
  /** In this order, again and again, a number of operations apart. */
  readonly disturbances: readonly Disturbance[];
  readonly operationsBetween: number;
  /** Milliseconds for which the network drops, and for which a process is paused. */
  readonly dropMs: number;
  readonly pauseMs: number;
  readonly restartDatabase: () => Promise<void>;
  readonly report?: (line: string) => void;
}

export interface Outcome {
  readonly operations: number;
  readonly disturbances: Readonly<Partial<Record<Disturbance, number>>>;
  readonly tokens: number;
  readonly seconds: number;
}

/**
 * Runs random operations at several instances on one database, and disturbs the instances. Throws an `AssertionError` if an
 * answer contradicts an earlier one: a token or session that works after its end was acknowledged, or is refused without
 * one; more than ten tokens; a token that is lost. In the end each instance must answer alike, and one edit that all are
 * asked to sync is read once for each person.
 */
export async function runInstances(stage: Stage, databaseUrl: string, plan: Plan): Promise<Outcome> {
  const began = performance.now();
  const random = seededRandom(plan.seed);
  const installation = await startInstances(stage, databaseUrl, plan.instances);
  const [first] = installation.instances;
  assert.ok(first);
  const people: Person[] = [];
  for (const name of installation.people) people.push(await arrive(first, name));
  const disturbances: Partial<Record<Disturbance, number>> = {};
  let done = 0;
  let disturbing: Promise<void> | null = null;
  let failure: unknown = null;

  const disturb = async () => {
    const count = Object.values(disturbances).reduce((sum, number) => sum + number, 0);
    const kind = plan.disturbances[count % plan.disturbances.length] ?? "kill";
    plan.report?.(`${done} operations, ${Math.round((performance.now() - began) / 1000)} s: ${kind}`);
    disturbances[kind] = (disturbances[kind] ?? 0) + 1;
    await disturbers[kind](installation, random, plan);
    disturbing = null;
  };
  const work = async () => {
    while (done < plan.operations && failure === null) {
      done += 1;
      if (done % plan.operationsBetween === 0) disturbing ??= disturb();
      await act(drawOperation(random), pick(random, people), installation.any(random), random);
    }
  };
  await Promise.all(
    Array.from({ length: plan.clients }, () =>
      work().catch((error: unknown) => {
        failure ??= error;
      }),
    ),
  );
  await disturbing;
  if (failure !== null) throw failure;
  await settle(installation, people);
  await syncOnce(installation);
  const tokens = people.reduce((sum, { made }) => sum + made, 0);
  const seconds = Math.round((performance.now() - began) / 1000);
  return { operations: done, disturbances, tokens, seconds };
}

const disturbers: Readonly<
  Record<Disturbance, (installation: Installation, random: Random, plan: Plan) => Promise<void>>
> = {
  kill: ({ instances }, random) => pick(random, instances).restart(),
  "restart of the database": (_, __, { restartDatabase }) => restartDatabase(),
  network: ({ instances }, random, { dropMs }) => pick(random, instances).cutOff(dropMs),
  pause: ({ instances }, random, { pauseMs }) => pick(random, instances).pause(pauseMs),
};

/** Waits until every instance is ready, then compares all that they answer with what was acknowledged. */
async function settle({ instances }: Installation, people: readonly Person[]): Promise<void> {
  for (const instance of instances) {
    while (!(await fetch(new URL("readyz", instance.url)).catch(() => null))?.ok) await sleep(50);
    for (const person of people) {
      if (!person.sessions.some(({ end }) => end === "none"))
        person.sessions.push({ ...(await signIn(instance.url, { person: person.name })), end: "none" });
      await verify(instance, person);
    }
  }
}

/**
 * Edits a page, asks every instance at the same time to sync it, and counts how often it is read (SYNC-9): by one sync for
 * each person, and by another one if some requests came after it had begun to list (GRAPH-15).
 */
async function syncOnce({ instances, people, notion, edit, whileTextsWait }: Installation): Promise<void> {
  const [first] = instances;
  assert.ok(first);
  const sessions = [];
  for (const person of people) {
    const session = await signIn(first.url, { person });
    await waitForSync(first.url, session);
    sessions.push(session);
  }
  const text = `Edited at ${Date.now()}.`;
  await edit(text);
  notion.resetCalls();
  for (const session of sessions) {
    const [workspace] = await waitForSync(first.url, session);
    assert.ok(workspace);
    const request = { method: "POST", token: session.access };
    const path = `api/provider-graph/workspaces/${workspace.id}/sync/`;
    // Requests that come after the end of a sync would begin further ones.
    await whileTextsWait(() => Promise.all(instances.map(({ url }) => call(url, path, request))));
    await waitForSync(first.url, session);
    for (const { url } of instances) {
      const client = clientOf(url, session);
      const { items } = await client.searchPages({ q: "Shared" });
      const { markdown } = await client.getPageContent({ id: items[0]?.node.id ?? "" });
      assert.ok(markdown?.includes(text), `${url.href} answers ${markdown}`);
    }
  }
  const read = notion.requests().filter(({ route }) => route === "/v1/pages/:page_id/markdown");
  const inBounds = read.length >= sessions.length && read.length <= 2 * sessions.length;
  assert.ok(inBounds, `the edited page of ${sessions.length} people was read ${read.length} times`);
}

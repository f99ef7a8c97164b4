import type { FaultRule } from "@clew/stand-in/testing";
import { integer, pick } from "@clew/stand-in/testing/random";
import { disturbanceOf, type Kind } from "../faults/disturbance.ts";
import type { Scheduler } from "./machine/scheduler.ts";
import type { NetworkFaults } from "./network.ts";

/** Faults of the provider that end when it is sound again: none hides a page for good. Repetition makes a kind more likely. */
const providerFaults: readonly Kind[] = [
  ...Array.from({ length: 8 }, () => "400 on a page" as const),
  "500 on a page",
  ...(["malformed texts", "malformed texts"] as const),
  ...(["latency", "429", "429 without Retry-After", "529", "500", "502 with HTML"] as const),
  ...(["truncated JSON", "cursor expired", "answers {}"] as const),
];

/** The most that each fault of the network happens, of all requests. */
const networkRates: NetworkFaults = {
  lost: 0.08,
  unanswered: 0.08,
  duplicated: 0.2,
  broken: 0.08,
  slow: 0.15,
};

/** Draws which faults the network has, and how often: most have none, so that each is also seen alone. */
export function drawNetwork(scheduler: Scheduler): NetworkFaults {
  const rates = Object.entries(networkRates).map(([fault, most]) => {
    const rate = scheduler.happens(0.4) ? most * scheduler.random() : 0;
    return [fault, rate] as const;
  });
  // The keys of `networkRates`.
  return Object.fromEntries(rates) as unknown as NetworkFaults;
}

/** Draws faults of the provider: none, or one kind. Those of single pages often concern the page that is watched. */
export function drawProviderFaults(
  scheduler: Scheduler,
  all: readonly string[],
  watched: string,
): readonly FaultRule[] {
  if (scheduler.happens(0.2)) return [];
  const kind = pick(scheduler.random, providerFaults);
  const ids = scheduler.happens(0.8) ? [watched] : all;
  scheduler.note(`the provider has faults: ${kind}`);
  return disturbanceOf(kind, { random: scheduler.random, ids, isAlone: scheduler.happens(0.5) }).rules;
}

/** Draws a clock that is off by up to that many milliseconds. */
export const drawClock = (scheduler: Scheduler, most: number): number =>
  integer(scheduler.random, -most, most);

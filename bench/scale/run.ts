import { availableParallelism, loadavg } from "node:os";
import { seededRandom } from "@clew/stand-in/testing/random";
import { table } from "../graph/figures.ts";
import { cases, compare, differs } from "./compare.ts";
import { assumed, fixed } from "./inputs.ts";
import { buildMs, type Plan, planFor, readMs } from "./model.ts";
import { makePopulation } from "./population.ts";

// Prints the capacity model for three sizes, and beside it what a simulation finds. Exits with 1 if they differ by more than
// their bound.
const seed = Number(process.env.SEED ?? 1);

const sizes = [1e3, 1e6, 1e9];

function planOf(pages: number): Plan {
  const users = Math.max(1, pages / assumed.pagesPerUser);
  const population = makePopulation(seededRandom(seed), {
    users,
    pages,
    requestsPerS: users * assumed.requestsPerUserPerS,
    sizeExponent: assumed.sizeExponent,
    rateExponent: assumed.rateExponent,
    largest: fixed.largestWorkspace,
    maxWorkspaces: 50_000,
  });
  return planFor(population);
}

const digits = (number: number) => Number(number.toPrecision(2)).toLocaleString("en-US");
const percent = (share: number) => `${digits(100 * share)} %`;
const bytes = (number: number) => {
  if (number >= 1e12) return `${digits(number / 1e12)} TB`;
  return number >= 1e9 ? `${digits(number / 1e9)} GB` : `${digits(number / 1e6)} MB`;
};

const plans = sizes.map(planOf);
const row = (name: string, of: (plan: Plan) => string) => [name, ...plans.map(of)];

console.log("## The model\n");
console.log(
  table(
    ["pages", ...sizes.map((pages) => pages.toLocaleString("en-US"))],
    [
      ["people", ...sizes.map((pages) => digits(Math.max(1, pages / assumed.pagesPerUser)))],
      row("requests per second in the busiest hour", ({ requests, instances }) =>
        digits(requests * instances),
      ),
      row("**instances**", ({ instances }) => `**${digits(instances)}**`),
      row("main thread busy: requests, graphs that are read, small ones that are built", ({ mainThread }) =>
        percent(mainThread),
      ),
      row("sync thread busy: looks, listings, texts", ({ syncThread }) => percent(syncThread)),
      row("build thread busy", ({ buildThread }) => percent(buildThread)),
      row("query threads busy", ({ queryThreads }) => percent(queryThreads)),
      row("calls to the provider under way, of those allowed", ({ callPool }) => percent(callPool)),
      row("graphs in memory, of an instance", ({ heldBytes }) => bytes(heldBytes)),
      row("requests that wait for a graph", ({ misses, requests }) => percent(misses / requests)),
      row("of these, requests whose graph is in no file either", ({ misses, builds }) =>
        misses === 0 ? "–" : percent(builds / misses),
      ),
      row("graphs loaded for a restart of 30 s", (plan) =>
        plan.instances === 1 ? "–" : digits(plan.loadsOfRestart(30)),
      ),
      row("calls to the provider per second, looks", ({ looksPerS }) => digits(looksPerS)),
      row("calls to the provider per second, syncs", ({ syncCallsPerS }) => digits(syncCallsPerS)),
      row("calls of all first syncs", ({ firstSyncCalls }) => digits(firstSyncCalls)),
      row("database", ({ databaseBytes }) => bytes(databaseBytes)),
      row("text index, in the database", ({ textIndexBytes }) => bytes(textIndexBytes)),
    ],
  ),
);
const largest = fixed.largestWorkspace;
console.log(
  `\nThe largest graph, of ${largest.toLocaleString("en-US")} pages, is built in ${digits(buildMs(largest) / 1000)} s, and read in ${digits(readMs(largest) / 1000)} s.`,
);

console.log("\n## The model beside the simulation\n");
const compared = cases.flatMap((each) => compare(each, seed));
console.log(
  table(
    ["", "model", "simulation", "differ by", "may differ by", "met"],
    compared.map((each) => {
      const { name, model, simulation, bound } = each;
      const difference = Math.abs(model - simulation) / Math.max(model, simulation);
      return [
        name,
        digits(model),
        digits(simulation),
        percent(difference),
        percent(bound),
        differs(each) ? "✗" : "✓",
      ];
    }),
  ),
);
console.log(`\nSeed ${seed}, ${availableParallelism()} cores, load average ${loadavg()[0]?.toFixed(1)}.`);
process.exitCode = compared.some(differs) ? 1 : 0;

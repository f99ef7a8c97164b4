import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "@clew/stand-in/testing/random";
import { cases, compare, differs } from "./compare.ts";
import { cacheFigures, graphBytes, planFor } from "./model.ts";
import { makePopulation } from "./population.ts";

const shape = { sizeExponent: 0.8, rateExponent: 0.9, largest: 1_000_000, maxWorkspaces: 5_000 };

test("the capacity model agrees with a simulation of the server's cache", () => {
  const [, several] = cases;
  assert(several);
  const compared = compare({ ...several, users: 400, graphBudget: 80e6, requests: 20_000 }, 1);
  assert.equal(compared.length, 2);
  for (const each of compared) assert(!differs(each), JSON.stringify(each));
  for (const each of compared)
    assert(differs({ ...each, model: 2 * each.simulation }), "a wrong model is found");
});

test("a population has the pages and requests that were asked for, and no workspace above the largest", () => {
  const population = makePopulation(seededRandom(1), { ...shape, users: 1e6, pages: 1e9, requestsPerS: 1e4 });
  const total = (of: (workspace: (typeof population.workspaces)[number]) => number) =>
    population.weight * population.workspaces.reduce((sum, workspace) => sum + of(workspace), 0);
  assert(Math.abs(total(({ pages }) => pages) / 1e9 - 1) < 0.01);
  assert(Math.abs(total(({ rate }) => rate) / 1e4 - 1) < 0.001);
  assert(population.workspaces.every(({ pages }) => pages <= shape.largest));
});

test("all graphs stay in memory if they fit, and no request waits", () => {
  const population = makePopulation(seededRandom(1), { ...shape, users: 10, pages: 1000, requestsPerS: 1 });
  const bytes = population.workspaces.reduce((sum, { pages }) => sum + graphBytes(pages), 0);
  const figures = cacheFigures(population, { instances: 1, tokensPerUser: 1, graphBudget: bytes });
  assert.equal(figures.misses, 0);
  assert(Math.abs(figures.heldBytes - bytes) < 1);
});

test("more people need at least as many instances", () => {
  const instances = [1e3, 1e5, 1e6].map((users) => {
    const population = makePopulation(seededRandom(1), {
      ...shape,
      users,
      pages: 1000 * users,
      requestsPerS: users / 100,
    });
    return planFor(population).instances;
  });
  assert.deepEqual(
    instances,
    instances.toSorted((a, b) => a - b),
  );
  assert((instances.at(-1) ?? 0) > 10);
});

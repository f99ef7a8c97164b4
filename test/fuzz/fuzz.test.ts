import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../packages/server/src/http/server.ts";
import { fuzz } from "./fuzz.ts";
import type { Grammar, Trial } from "./grammar.ts";
import { grammars, requestGrammars } from "./grammars/all.ts";
import { query } from "./grammars/query.ts";
import { Ground } from "./ground.ts";
import { Growth, slopeOf } from "./growth.ts";
import { readSaved } from "./saved.ts";

// A part of the campaign in `fuzz.campaign.ts`.

/** Inputs of each grammar of requests. */
const inputs = 12;

/** A fault that a change could bring in, for each search of V1. */
type Fault = (request: FastifyRequest, reply: FastifyReply) => void;

let fault: Fault | null = null;
let ground: Ground;
before(async () => {
  const plant = (server: App) =>
    void server.addHook("preHandler", async (request, reply) => {
      if (request.url.startsWith("/api/v1/search/")) fault?.(request, reply);
    });
  ground = await Ground.open({ pages: 40, plant });
});
after(() => ground.close());

/** Opens a grammar on the Clew that the tests share, if it needs none of its own. */
async function open(grammar: Grammar): Promise<Trial<unknown>> {
  const shared = requestGrammars.find(({ name }) => name === grammar.name);
  return shared === undefined
    ? grammar.open()
    : { ...(await shared.openOn(async () => ground)), close: async () => {} };
}

test("ERR-4, LIM-3: no input of a request breaks an invariant: a small part of the campaign", async (t) => {
  const seed = Date.now() % 1_000_000;
  t.diagnostic(`seed ${seed}`);
  for (const grammar of requestGrammars) {
    const { faults } = await fuzz(await open(grammar), { seed, runs: inputs, watchesGrowth: false });
    assert.deepEqual(faults, [], grammar.name);
  }
});

test("ERR-4, LIM-3, SYNC-5, SRC-2: inputs that once broke an invariant break none", async (t) => {
  const saved = await readSaved();
  assert.ok(saved.length > 0, "no input is saved");
  const names = new Set(saved.map(({ grammar }) => grammar));
  const used = grammars.filter(({ name }) => names.has(name));
  assert.equal(used.length, names.size, `some grammar is unknown: ${[...names].join(", ")}`);
  for (const grammar of used) {
    const trial = await open(grammar);
    t.after(() => trial.close());
    for (const { input } of saved.filter((each) => each.grammar === grammar.name)) await trial.try(input);
    await trial.settle();
  }
});

const faults: Readonly<Record<string, readonly [fault: Fault, finding: RegExp]>> = {
  "an exception": [
    () => {
      throw new Error("a planted fault");
    },
    /→ 500/,
  ],
  "a refusal that is no problem document": [
    (_, reply) => void reply.code(400).type("text/plain").send("Oops"),
    /→ 400 Oops/,
  ],
  "a loop that takes 60 ms of processor time": [
    () => {
      const start = process.threadCpuUsage();
      while (process.threadCpuUsage(start).user < 60_000);
    },
    /blocks the thread for \d/,
  ],
  "a line of the log with the credentials": [
    (request) => request.log.info({ planted: request.headers.authorization }),
    /is in the log/,
  ],
};

for (const [what, [planted, finding]] of Object.entries(faults))
  test(`the campaign finds ${what}`, async () => {
    fault = planted;
    try {
      const options = { seed: 1, runs: 30, watchesGrowth: false, shrinks: false };
      const { faults } = await fuzz(await open(query), options);
      assert.match(faults[0]?.fault ?? "nothing", finding);
    } finally {
      fault = null;
    }
  });

test("the campaign finds a list that grows with each input, and nothing where none does", async () => {
  for (const isLeaking of [true, false]) {
    const growth = new Growth();
    const kept: Uint8Array[] = [];
    for (let input = 0; input < 1_000; input += 1) {
      // Far more than the heap of the tests before may shrink by meanwhile.
      const buffer = new Uint8Array(100_000);
      if (isLeaking) kept.push(buffer);
      if (input % 100 === 0) await growth.look(input);
    }
    if (isLeaking) assert.match(growth.fault() ?? "nothing", /^the heap grew by/);
    else assert.equal(growth.fault(), null);
    assert.equal(kept.length, isLeaking ? 1_000 : 0);
  }
});

test("a slope has an interval that is as wide as its points are scattered", () => {
  const exact = slopeOf([0, 1, 2, 3, 4].map((x) => [x, 3 * x + 1]));
  assert.deepEqual([exact.low, exact.middle, exact.high].map(Math.round), [3, 3, 3]);
  const { low, middle, high } = slopeOf([0, 1, 2, 3, 4].map((x) => [x, x % 2 === 0 ? 3 * x : 3 * x + 5]));
  assert.ok(low < 0 && Math.round(middle) === 3 && high > 6, `${low} ${middle} ${high}`);
});

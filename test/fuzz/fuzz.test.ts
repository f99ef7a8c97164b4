import assert from "node:assert/strict";
import { test } from "node:test";
import type { App } from "../../packages/server/src/http/server.ts";
import { fuzz } from "./fuzz.ts";
import type { Trial } from "./grammar.ts";
import { grammars, requestGrammars } from "./grammars/all.ts";
import { query } from "./grammars/query.ts";
import { Growth, slopeOf } from "./growth.ts";
import { Ground } from "./ground.ts";
import { readSaved } from "./saved.ts";

// A part of the campaign in `fuzz.campaign.ts`.

/** Inputs of each grammar of requests. */
const inputs = 12;

test("ERR-4, LIM-3: no input of a request breaks an invariant: a small part of the campaign", async (t) => {
  const ground = await Ground.open({ pages: 40 });
  t.after(() => ground.close());
  const seed = Date.now() % 1_000_000;
  t.diagnostic(`seed ${seed}`);
  for (const grammar of requestGrammars) {
    const trial = await grammar.openOn(async () => ground);
    const { findings } = await fuzz(trial, { seed, runs: inputs, watchesGrowth: false });
    assert.deepEqual(findings, [], grammar.name);
  }
});

test("ERR-4, LIM-3, SYNC-5, SRC-2: inputs that once broke an invariant are borne", async (t) => {
  const saved = await readSaved();
  assert.ok(saved.length > 0, "no input is saved");
  for (const grammar of grammars) {
    const own = saved.filter((each) => each.grammar === grammar.name);
    if (own.length === 0) continue;
    const trial = await grammar.open();
    t.after(() => trial.close());
    for (const { input } of own) await trial.try(input);
    await trial.settle();
  }
  for (const { grammar } of saved)
    assert.ok(
      grammars.some(({ name }) => name === grammar),
      `no grammar ${grammar}`,
    );
});

/** Runs some inputs against a Clew with a fault, and returns the faults that the campaign finds. */
async function findingsWith(plant: (server: App) => void): Promise<readonly string[]> {
  const trial: Trial<unknown> = await query.openOn(() => Ground.open({ pages: 10, plant }));
  try {
    const { findings } = await fuzz(trial, { seed: 1, runs: 30, watchesGrowth: false });
    return findings.map(({ fault }) => fault);
  } finally {
    await trial.close();
  }
}

/** Lets work happen in each search of V1. */
const onSearch =
  (
    work: (parts: { query: unknown; log: { info(fields: object): void }; send(body: string): void }) => void,
  ) =>
  (server: App): void => {
    server.addHook("preHandler", async (request, reply) => {
      if (!request.url.startsWith("/api/v1/search/?q=")) return;
      const send = (body: string) => void reply.code(400).type("text/plain").send(body);
      work({ query: request.query, log: request.log, send });
    });
  };

/** Faults that a change could bring in, with what the campaign says of each. */
const plants: Readonly<Record<string, readonly [plant: (server: App) => void, finding: RegExp]>> = {
  "an exception": [
    onSearch(() => {
      throw new Error("a planted fault");
    }),
    /→ 500/,
  ],
  "an answer that is no problem document": [onSearch(({ send }) => send("Oops")), /→ 400 Oops/],
  "a loop that takes 60 ms of processor time": [
    onSearch(() => {
      const start = process.threadCpuUsage();
      while (process.threadCpuUsage(start).user < 60_000);
    }),
    /blocks the thread for \d/,
  ],
  "a line of the log with the question": [
    onSearch(({ query: asked, log }) => log.info({ asked })),
    /is in the log/,
  ],
};

for (const [what, [plant, finding]] of Object.entries(plants))
  test(`the campaign finds ${what}`, async () => {
    const [fault = "nothing"] = await findingsWith(plant);
    assert.match(fault, finding);
  });

test("the campaign finds a list that grows with each input, and nothing where none does", () => {
  for (const isLeaking of [true, false]) {
    const growth = new Growth();
    const kept: Uint8Array[] = [];
    for (let input = 0; input < 3_000; input += 1) {
      const buffer = new Uint8Array(4_000);
      if (isLeaking) kept.push(buffer);
      if (input % 200 === 0) growth.look(input);
    }
    if (isLeaking) assert.match(growth.fault() ?? "nothing", /^the heap grew by/);
    else assert.equal(growth.fault(), null);
    assert.equal(kept.length, isLeaking ? 3_000 : 0);
  }
});

test("a slope has an interval that is as wide as its points are scattered", () => {
  const exact = slopeOf([0, 1, 2, 3, 4].map((x) => [x, 3 * x + 1]));
  assert.deepEqual([exact.low, exact.middle, exact.high].map(Math.round), [3, 3, 3]);
  const { low, middle, high } = slopeOf([0, 1, 2, 3, 4].map((x) => [x, x % 2 === 0 ? 3 * x : 3 * x + 5]));
  assert.ok(low < 0 && Math.round(middle) === 3 && high > 6, `${low} ${middle} ${high}`);
});

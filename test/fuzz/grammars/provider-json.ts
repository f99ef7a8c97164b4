import assert from "node:assert/strict";
import fc from "fast-check";
import { syncReportsOf } from "../../../packages/server/src/store/queries/sync-reports.ts";
import { storedGraph } from "../../../packages/server/src/sync/testing/stored-graph.ts";
import {
  type Call,
  createWorkspace,
  type Intercept,
  json,
} from "../../../packages/server/src/sync/testing/workspace.ts";
import { markdownPage } from "../../support/markdown-folder.ts";
import type { Grammar, Trial } from "../grammar.ts";
import { changedJson, hostileText, type JsonChange } from "../hostile.ts";

/** The kinds of calls that a sync makes. */
const kinds = {
  search: ({ path }: Call) => path === "/v1/search",
  rows: ({ path }: Call) => path.endsWith("/query"),
  page: ({ path }: Call) => /^\/v1\/pages\/[^/]+$/.test(path),
  database: ({ path }: Call) => /^\/v1\/(?:databases|data_sources)\/[^/]+$/.test(path),
  text: ({ path }: Call) => path.endsWith("/markdown"),
  item: ({ path }: Call) => path.includes("/properties/"),
} as const;

/** A change of answers of one kind: each of them, or one alone. */
interface ProviderInput {
  readonly kind: keyof typeof kinds;
  readonly change: JsonChange;
  /** The number of the answer that is changed; null for each of them. */
  readonly only: number | null;
}

/** Values of a type that no field has in the place of its own, and texts for the fields that are texts. */
const value = fc.oneof(
  fc.constantFrom<unknown>(
    7,
    -1,
    1e300,
    true,
    [],
    {},
    [[]],
    [null],
    { type: "hologram", hologram: {} },
    null,
  ),
  hostileText,
);

const inputs: fc.Arbitrary<ProviderInput> = fc.record({
  kind: fc.constantFrom(...(Object.keys(kinds) as (keyof typeof kinds)[])),
  change: fc.record({
    at: fc.nat(999_999),
    how: fc.constantFrom("replace", "replace", "replace", "remove", "rename", "wrap", "repeat"),
    value,
  }),
  only: fc.option(fc.nat(3)),
});

const rows = Array.from({ length: 27 }, (_, row) => `row-${row}`);
const files = {
  "start.md": markdownPage(
    "Start",
    "See [[Second]], [the tasks](tasks/one.md) and [a page](guides/index.md).",
  ),
  "second.md": markdownPage("Second", "Back to [[Start]]."),
  "guides/index.md": markdownPage("Guides", "A guide."),
  "tasks/_database.yml":
    "title: Tasks\nproperties:\n  Count: { type: number }\n  Kind: { type: select, options: [a, b] }\n  Blocks: { type: relation, database: . }\n",
  "tasks/one.md": markdownPage("One", "First.", {
    Count: "7",
    Kind: "a",
    Blocks: `[${rows.map((row) => `./${row}.md`).join(", ")}]`,
  }),
  ...Object.fromEntries(rows.map((row) => [`tasks/${row}.md`, markdownPage(row, "", { Count: "1" })])),
};

/** Milliseconds to the end of a sync: its waits take no time. */
const maxSync = 30_000;

async function open(): Promise<Trial<ProviderInput>> {
  const ends: (() => unknown)[] = [];
  const workspace = await createWorkspace({ after: (end) => void ends.push(end as () => unknown) }, files);
  let id = 0;
  const connect = async () => {
    await workspace.database.transaction((trx) => trx.deleteFrom("connections").execute());
    id = (await workspace.connect()).id;
  };
  const run = async (by: Intercept | null) => {
    workspace.intercept(by);
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`the sync has not ended after ${maxSync} ms`)), maxSync);
    await Promise.race([workspace.run(id), promise]).finally(() => clearTimeout(timer));
    const [report] = await syncReportsOf(workspace.database.read, id);
    assert.ok(report);
    return report.outcome;
  };
  await connect();
  assert.equal(await run(null), "complete");
  const expected = await storedGraph(workspace.database, id);
  return {
    inputs,
    async try({ kind, change, only }) {
      // Things that the workspace keeps for tests would pass for growth.
      for (const kept of [workspace.calls, workspace.published, workspace.logged]) kept.splice(0);
      await connect();
      let count = -1;
      let isOtherAnswer = false;
      const outcome = await run(async (call, pass) => {
        const answer = await pass();
        if (!kinds[kind](call)) return answer;
        count += 1;
        if (only !== null && count !== only) return answer;
        const before: unknown = await answer.json();
        const after = changedJson(before, change);
        isOtherAnswer ||= mayBeTrue(before, after, change);
        return json(after, answer.status);
      });
      if (outcome === "complete" && !isOtherAnswer)
        assert.deepEqual(
          await storedGraph(workspace.database, id),
          expected,
          "complete, and something is missing",
        );
      await workspace.sync.request(id, { full: true });
      assert.equal(await run(null), "complete", "the next sync is not complete");
      if (!isOtherAnswer)
        assert.deepEqual(await storedGraph(workspace.database, id), expected, "not whole again");
    },
    settle: async () => {},
    async close() {
      for (const end of ends.reverse()) await end();
    },
  };
}

/** Whether the provider may have meant the answer: then the graph may be another one. */
function mayBeTrue(before: unknown, after: unknown, { how, value: given }: JsonChange): boolean {
  // Lists may be shorter or longer, fields that Clew needs not may be missing, and texts may be any.
  if (how !== "replace" && how !== "wrap") return true;
  if (how === "wrap") return false;
  return given === null || typeof given === "string" || JSON.stringify(before) === JSON.stringify(after);
}

/** Answers of the provider's API in which a value is missing, doubled or of another type (SYNC-5, SYNC-13). */
export const providerJson: Grammar = { name: "provider-json", perThousand: 50, open };

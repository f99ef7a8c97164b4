import assert from "node:assert/strict";
import { test } from "node:test";
import { repetitions, runSeed } from "@clew/stand-in/testing/share";
import fc from "fast-check";
import { isText } from "./testing/calls.ts";
import { createRandomWorkspace, type Happening, happeningKinds, roots } from "./testing/random-workspace.ts";
import { storedGraph } from "./testing/stored-graph.ts";
import { changed, createWorkspace, type Workspace } from "./testing/workspace.ts";

/** Random workspaces to try; each lives through a few syncs. */
const tries = Number(process.env.EQUIVALENCE_TRIES ?? repetitions(6, 12));

/** The edits until the next sync, and their time in seconds. */
interface Episode {
  readonly happenings: readonly Happening[];
  readonly seconds: number;
  /** Which of the pages at the top are shared from then on beside the first; null if that stays. */
  readonly shared: readonly string[] | null;
}

const happening = fc.record({ what: fc.constantFrom(...happeningKinds), one: fc.nat(50), other: fc.nat(50) });
const episode: fc.Arbitrary<Episode> = fc.record({
  happenings: fc.array(happening, { minLength: 1, maxLength: 6 }),
  seconds: fc.constantFrom(5, 5, 40, 200, 7200),
  shared: fc.option(fc.subarray([...roots.slice(1)]), { freq: 4 }),
});
const beginning = fc.array(happening, { minLength: 10, maxLength: 20 });

/** The graph that a first sync of the same pages gives. */
async function fromNothing(workspace: Workspace, pages: readonly string[]) {
  const { id } = await workspace.connect({ person: "Visitor", pages });
  await workspace.run(id);
  const graph = await storedGraph(workspace.database, id);
  await workspace.database.transaction((trx) => trx.deleteFrom("connections").where("id", "=", id).execute());
  return graph;
}

test("SYNC-7: after each incremental sync the graph is what a first sync from nothing gives", async (t) => {
  const property = fc.asyncProperty(
    beginning,
    fc.array(episode, { minLength: 1, maxLength: 5 }),
    async (before, episodes) => {
      let now = Date.parse("2026-03-01T12:00:00Z");
      const model = createRandomWorkspace(now);
      for (const event of before) model.happen(event, now);
      now += 3_600_000;
      const workspace = await createWorkspace(t, model.files());
      // Edits and answers are dated by one clock, that of the workspace that is made up.
      workspace.intercept(async (call, pass) => {
        const asked = await pass();
        const answer = isText(call)
          ? await changed(asked, (text) => ({ ...text, markdown: model.withMentions(text.markdown ?? "") }))
          : asked;
        const headers = new Headers(answer.headers);
        headers.set("date", new Date(now).toUTCString());
        return new Response(await answer.arrayBuffer(), { status: answer.status, headers });
      });
      let pages: readonly string[] = roots;
      const { id } = await workspace.connect({ person: "Librarian", pages });
      await workspace.run(id);
      for (const { happenings, seconds, shared } of episodes) {
        for (const event of happenings) model.happen(event, now);
        await workspace.remove(".");
        await workspace.write(model.files());
        if (shared !== null) {
          pages = [roots[0], ...shared];
          await workspace.connect({ person: "Librarian", pages });
        }
        now += seconds * 1000;
        workspace.pass(seconds * 1000);
        await workspace.run(id);
        assert.deepEqual(await storedGraph(workspace.database, id), await fromNothing(workspace, pages));
      }
    },
  );
  const isShort = process.env.EQUIVALENCE_TRIES === undefined;
  await fc.assert(property, { numRuns: tries, endOnFailure: isShort, ...(isShort ? { seed: runSeed } : {}) });
});

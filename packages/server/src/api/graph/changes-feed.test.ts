import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { Changes, Node } from "@clew/contract";
import fc from "fast-check";
import { removeNodes, upsertNodes } from "../../store/queries/graph-pages.ts";
import { page } from "../../store/testing/scratch.ts";
import { type Bearer, type GraphServer, serveGraphs } from "./testing/graph-server.ts";

/** The steps of a test: changes of a workspace, and reads of its feed. */
type Step =
  | { readonly kind: "write"; readonly numbers: readonly number[]; readonly title: string }
  | { readonly kind: "remove"; readonly numbers: readonly number[] }
  | { readonly kind: "publish" }
  | { readonly kind: "read"; readonly reader: number; readonly limit: number; readonly requests: number };

const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 });
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("write" as const), numbers, title: fc.constantFrom("a", "b", "c") }),
    fc.record({ kind: fc.constant("remove" as const), numbers }),
    fc.record({ kind: fc.constant("publish" as const) }),
    fc.record({
      kind: fc.constant("read" as const),
      reader: fc.nat(2),
      limit: fc.integer({ min: 1, max: 5 }),
      requests: fc.integer({ min: 1, max: 4 }),
    }),
  ),
  { maxLength: 30 },
);

/** A client that keeps a copy of the nodes by following the feed. */
function createReader(bearer: Bearer) {
  const copy = new Map<string, Node>();
  let cursor: string | null = null;
  return {
    copy,
    /** Makes up to `requests` requests; true if the last response had no more. */
    async follow(limit: number, requests: number): Promise<boolean> {
      for (let request = 0; request < requests; request += 1) {
        const answer = await bearer.get(
          `/changes/?limit=${limit}${cursor === null ? "" : `&cursor=${cursor}`}`,
        );
        assert.equal(answer.status, 200, answer.text);
        const { items, next_cursor, more }: Changes = answer.body;
        assert.ok(items.length <= limit);
        for (const { node, node_id, change } of items) {
          assert.equal(node === null, change === "removed");
          if (node === null) copy.delete(node_id);
          else copy.set(node_id, node);
        }
        cursor = next_cursor;
        if (!more) return true;
      }
      return false;
    },
  };
}

/** The nodes in the responses of the other operations. */
async function served(bearer: Bearer): Promise<Map<string, Node>> {
  const ids = Array.from({ length: 12 }, (_, index) => page(index + 1).id).join(",");
  const { items }: { items: Node[] } = (await bearer.get(`/nodes/?ids=${ids}`)).body;
  return new Map(items.map((node) => [node.id, node]));
}

/** Runs the steps in a new workspace. */
async function runSteps(
  server: GraphServer,
  bearerOf: (workspaceId: string) => Promise<[number, Bearer]>,
  script: Step[],
) {
  const { database } = server.fixture;
  const [id, bearer] = await bearerOf(randomUUID());
  const readers = [0, 1, 2].map(() => createReader(bearer));
  const everRemoved = new Set<string>();
  for (const step of script) {
    switch (step.kind) {
      case "write": {
        const nodes = step.numbers.map((number) => page(number, { title: step.title }));
        await database.transaction((trx) => upsertNodes(trx, id, nodes));
        break;
      }
      case "remove": {
        const ids = step.numbers.map((number) => page(number).id);
        for (const each of ids) everRemoved.add(each);
        await database.transaction((trx) => removeNodes(trx, id, ids, 0));
        break;
      }
      case "publish":
        await server.graphs.publish(id);
        break;
      case "read": {
        const reader = readers[step.reader];
        if (!(await reader?.follow(step.limit, step.requests))) break;
        const graph = await served(bearer);
        const copiedIds = new Set(reader?.copy.keys());
        // A node that was removed and added again before publication is listed after it.
        for (const each of copiedIds.symmetricDifference(new Set(graph.keys())))
          assert.ok(everRemoved.has(each), `${each} is missing or outdated`);
      }
    }
  }
  await server.graphs.publish(id);
  const graph = await served(bearer);
  for (const reader of readers) {
    assert.equal(await reader.follow(3, 100), true);
    assert.deepEqual(new Map([...reader.copy].toSorted()), new Map([...graph].toSorted()));
  }
}

/** A reader that knows only a page's first version, before its removal. */
const removedTwice: Step[] = [
  { kind: "write", numbers: [9], title: "a" },
  { kind: "read", reader: 0, limit: 1, requests: 1 },
  { kind: "remove", numbers: [9] },
  { kind: "write", numbers: [9, 1], title: "a" },
  { kind: "remove", numbers: [9] },
];

test("GRAPH-11: a client that follows the feed, from any cursor and at any pace, ends up with the graph's nodes", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const bearerOf = async (workspaceId: string): Promise<[number, Bearer]> => {
    const { id } = await owner.connect(workspaceId);
    return [id, await owner.token({ workspaceIds: [workspaceId] })];
  };
  await fc.assert(
    fc.asyncProperty(steps, (script) => runSteps(server, bearerOf, script)),
    { numRuns: 60, examples: [[removedTwice]] },
  );
});

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { isOnlyIfNamed, presentedTokenOperation } from "@clew/contract";
import { repetitions } from "@clew/stand-in/testing/share";
import fc from "fast-check";
import type { Bearer, Person, SeededPage } from "../api/graph/testing/graph-server.ts";
import type { Connection } from "../model/connection.ts";
import { nodeId, referenceTo } from "../store/testing/scratch.ts";
import { type Stage, stageAgent, workspace } from "./testing/agent-server.ts";
import { anyCalls, anyPaths, type Call, numbers } from "./testing/any-request.ts";

// Two worlds, each a Clew of its own from its first row on. In both a person does the same, and gets the same answers, byte for byte,
// although a neighbour in the same workspace shares other pages, with the same ids and words, and asks for other things.

/** Some of the pages with titles, texts and references of one person. Both people have the same ids and words. */
const anyPages: fc.Arbitrary<readonly SeededPage[]> = fc.uniqueArray(
  fc.record({
    number: fc.constantFrom(...numbers),
    given: fc.record({
      type: fc.constantFrom("page", "database"),
      title: fc.constantFrom("Page", "Secret page", "Page 2", "Alpha"),
      parentId: fc.constantFrom(null, ...numbers.map(nodeId)),
      updatedAt: fc.nat(5),
    }),
    references: fc.array(fc.constantFrom(...numbers.map((number) => referenceTo(number))), { maxLength: 4 }),
    text: fc.constantFrom(
      "Page",
      "Secret plan of a page",
      "moon landing",
      "# Secret\nA moon, a page and a moon",
    ),
  }),
  { selector: ({ number }) => number, minLength: 1, maxLength: numbers.length },
);

/** A step of a person: their workspace is synced with these pages, or they ask. */
type Step =
  | { readonly kind: "sync"; readonly pages: readonly SeededPage[] }
  | { readonly kind: "ask"; readonly paths: readonly string[]; readonly calls: readonly Call[] };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: anyPages.map((pages): Step => ({ kind: "sync", pages })), weight: 2 },
  fc.record({ kind: fc.constant("ask" as const), paths: anyPaths, calls: anyCalls }),
);

/** The steps of a person in both worlds, and between them those of the neighbour in the one and in the other. */
interface Story {
  readonly own: readonly Step[];
  readonly neighbours: readonly (readonly Step[])[];
}

const anyStory: fc.Arbitrary<Story> = fc.record({
  own: fc
    .tuple(anyPages, anyStep, anyPaths, anyCalls)
    .map(([pages, step, paths, calls]): Step[] => [
      { kind: "sync", pages },
      step,
      { kind: "ask", paths, calls },
    ]),
  neighbours: fc.tuple(
    fc.array(anyStep, { minLength: 3, maxLength: 3 }),
    fc.oneof(fc.constant([]), fc.array(anyStep, { minLength: 3, maxLength: 3 })),
  ),
});

/** A person with their ways into Clew. */
interface Inhabitant {
  readonly person: Person;
  readonly connection: Connection;
  readonly token: Bearer;
}

async function settle({ server }: Stage, name: string): Promise<Inhabitant> {
  const person = await server.person(name);
  const connection = await person.connect(workspace);
  return { person, connection, token: await person.token({ workspaceIds: [workspace] }) };
}

/** A text without what is drawn at random: ids of requests, cursors, entity tags and the beginning of a token. Their lengths stay. */
const comparable = (text: string, { token }: Inhabitant): string =>
  text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\\*","errors|\\*"\})/g, "<request>")
    .replaceAll(/(cursor\\*"?[=:]\\*"?)([\w.~%-]+)/g, (_, name, value) => `${name}<${value.length}>`)
    .replaceAll(token.raw.slice(0, 12), "<token>");

/** Takes a step, and returns the answers to it. */
async function take({ server }: Stage, inhabitant: Inhabitant, step: Step): Promise<readonly unknown[]> {
  const { person, connection, token } = inhabitant;
  if (step.kind === "sync") {
    await server.sync(connection, step.pages);
    return [];
  }
  const answers: unknown[] = [];
  const note = (asked: unknown, status: number, headers: object, text: string) => {
    const { "x-request-id": _, date: __, etag: ___, ...others } = headers as Record<string, unknown>;
    const told = comparable(JSON.stringify(others), inhabitant);
    answers.push({ asked, status, headers: told, text: comparable(text, inhabitant) });
  };
  for (const path of [...step.paths, presentedTokenOperation.path]) {
    for (const bearer of path === presentedTokenOperation.path ? [token] : [token, person.session]) {
      const { status, headers, text } = await bearer.get(path);
      note(path, status, headers, text);
    }
  }
  for (const [name, input] of step.calls) {
    const params = { name, arguments: input };
    const answer = await server.app.inject({
      method: "POST",
      url: `/api/v1/mcp${isOnlyIfNamed(name) ? `?tools=${name}` : ""}`,
      headers: { authorization: `Bearer ${token.raw}`, accept: "application/json" },
      payload: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
    });
    note([name, input], answer.statusCode, answer.headers, answer.body);
  }
  return answers;
}

interface Told {
  readonly own: readonly unknown[];
  readonly neighbours: readonly unknown[];
}

/** Plays a story in one world, with two new people. */
async function play(world: Stage, story: Story, side: number, run: number): Promise<Told> {
  const self = await settle(world, `self ${run}`);
  const neighbour = await settle(world, `neighbour ${run}`);
  const own: unknown[] = [];
  const theirs: unknown[] = [];
  for (const [index, step] of story.own.entries()) {
    const other = story.neighbours[side]?.[index];
    if (other !== undefined) theirs.push(...(await take(world, neighbour, other)));
    own.push(...(await take(world, self, step)));
  }
  return { own, neighbours: theirs };
}

/** Counts answers by what they were to. */
const countFound = (answers: readonly unknown[]) =>
  answers.filter((answer) => (answer as { readonly status: number }).status === 200).length;

test("GRAPH-10, AGT-1: what a neighbour shares and asks changes no byte of any operation or tool", async (t: TestContext) => {
  const options = { withTexts: true, activityDays: 0 };
  const worlds = [await stageAgent(t, [], options), await stageAgent(t, [], options)] as const;
  let [run, found, apart] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(anyStory, async (story) => {
      run += 1;
      const told = [await play(worlds[0], story, 0, run), await play(worlds[1], story, 1, run)] as const;
      assert.deepEqual(told[1].own, told[0].own);
      found += countFound(told[0].own);
      if (JSON.stringify(told[0].neighbours) !== JSON.stringify(told[1].neighbours)) apart += 1;
    }),
    { numRuns: Number(process.env.RUNS ?? repetitions(4, 8)), endOnFailure: true },
  );
  t.diagnostic(`${run} stories: ${found} answers with a result are the same, ${apart} neighbours told apart`);
  assert.ok(found > 100, `${found} requests were answered`);
  assert.ok(apart > 0, "the neighbours saw the same");
});

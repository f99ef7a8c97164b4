import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  exportMediaTypes,
  type GraphOperation,
  graphOperations,
  scopeNames,
  type ToolName,
  tools,
} from "@clew/contract";
import { writeFiles } from "../support/markdown-folder.ts";
import { settingsFor, startNotion } from "../support/notion.ts";
import { type RawAnswer, type Send, senderTo } from "../support/raw-request.ts";
import { startRunning } from "../support/running-clew.ts";
import { addSource, signIn, waitForSync } from "../support/session.ts";
import { stageOf } from "../support/stage.ts";
import { get, withJson } from "./surface.ts";

// Two folders whose files have the same paths and ids in front matter, as two clones of a repository have, and Notion with the same
// pages beside them. Whatever is asked about a page of one must never be answered with a page of another.

/** The sources, each with the word that its texts and titles have. */
const words = { notion: "quince", alpha: "mango", beta: "papaya" } as const;

type Source = keyof typeof words;

const sources = Object.keys(words) as readonly Source[];

const given = (number: number) => `${number}0000000-0000-4000-8000-000000000000`;

/** The files of a source. Answers for agents name all workspaces, so their names have no word. */
const filesOf = (source: Source, word: string = words[source]) => ({
  "_workspace.yml": `name: ${source} notes\nid: ${given(9)}\n`,
  "README.md": `---\nid: ${given(1)}\ntags: [fruit]\n---\n# Start ${word}\n\nThe ${word} is in the [[Garden]], in [tasks](tasks/) and [gone](gone.md).\n`,
  "Garden.md": `---\ntags: [fruit]\n---\n# Garden ${word}\n\nA ${word} tree. Back to the [start](README.md).\n`,
  "daily/2026-01-01.md": `# Day ${word}\n\nThe ${word} is ripe: [[Garden]].\n`,
  "tasks/_database.yml": `title: Tasks ${word}\nid: ${given(2)}\nproperties:\n  State: {type: select, options: [Open]}\n  Next: {type: relation, database: .}\n`,
  "tasks/pick.md": `---\nid: ${given(3)}\nState: Open\nNext: [./eat.md]\n---\n# Pick the ${word}\n\nThe ${word} of [[README]].\n`,
  "tasks/eat.md": `---\nState: Open\n---\n# Eat the ${word}\n`,
});

/** A page, database or tag in an answer. */
interface Node {
  readonly id: string;
  readonly workspace_id: string;
  readonly type: string;
  readonly title: string;
}

/** A workspace as a token for it alone has it. */
interface View {
  readonly source: Source;
  readonly word: string;
  readonly id: string;
  readonly token: string;
  readonly nodes: ReadonlyMap<string, Node>;
  /** The id of the node whose title begins with a word. */
  idOf(title: string): string;
}

interface World {
  readonly send: Send;
  /** For all workspaces. */
  readonly token: string;
  readonly views: readonly View[];
}

async function openWorld(t: TestContext): Promise<World> {
  const stage = await stageOf(t);
  for (const source of sources) await writeFiles(join(stage.folder, source), filesOf(source));
  const notion = await startNotion(stage, join(stage.folder, "notion"));
  const [alpha, beta] = [join(stage.folder, "alpha"), join(stage.folder, "beta")];
  const env = { ...settingsFor(notion), FOLDERS: `alpha=${alpha}, beta=${beta}` };
  const { url, stop } = await startRunning({ env });
  stage.defer(stop);
  const send = senderTo(url);
  const session = await signIn(url);
  for (const folder of ["alpha", "beta"]) await addSource(url, session, folder);
  const workspaces = await waitForSync(url, session);
  assert.equal(workspaces.length, 3);
  const tokenFor = async (ids: readonly string[]): Promise<string> => {
    const body = { name: "a token", scopes: scopeNames, workspace_ids: ids, expires_in_days: 1 };
    const answer = await send({
      method: "POST",
      path: "/api/tokens/",
      ...withJson(body, session.access),
    });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.token;
  };
  const views: View[] = [];
  for (const { id, name } of workspaces) {
    const source = sources.find((each) => name === `${each} notes`);
    assert.ok(source, String(name));
    if (source !== "notion")
      assert.equal(
        (
          await send({
            method: "PATCH",
            path: `/api/provider-graph/workspaces/${id}/`,
            ...withJson({ tags: true }, session.access),
          })
        ).status,
        200,
      );
    views.push(await viewOf(send, { source, id, token: await tokenFor([id]) }));
  }
  return { send, token: await tokenFor(workspaces.map(({ id }) => id)), views };
}

/** Waits until all pages, texts and tags of a workspace are found. */
async function viewOf(
  send: Send,
  { source, id, token }: Pick<View, "source" | "id" | "token">,
): Promise<View> {
  const word = words[source];
  const isWhole = async (nodes: readonly Node[]) => {
    const { status, body, text } = await get(send, `/api/v1/text/?q=${word}&limit=50`, token);
    assert.ok(status === 200 || status === 503, text);
    const tags = nodes.filter(({ type }) => type === "tag");
    return status === 200 && body.items.length >= 6 && tags.length === (source === "notion" ? 0 : 1);
  };
  for (;;) {
    const exported = nodesIn(linesIn(await get(send, "/api/v1/export/", token)));
    if (!(await isWhole(exported))) {
      await sleep(50);
      continue;
    }
    const nodes = new Map(exported.map((node) => [node.id, node]));
    const idOf = (title: string) => exported.find((node) => node.title.startsWith(title))?.id ?? title;
    return { source, word, id, token, nodes, idOf };
  }
}

/** The value of a parameter that names a page of a workspace, or the workspace itself. */
function valueIn({ id, word, idOf }: View, parameter: string): string {
  const values: Readonly<Record<string, string>> = {
    ...{ q: word, question: word, query: word },
    ...{ workspace: id, workspace_id: id },
    ...{ id: idOf("Start"), from: idOf("Start"), near: idOf("Start") },
    ...{ page: idOf("Garden"), to: idOf("Garden") },
    ...{ under: idOf("Tasks"), database: idOf("Tasks") },
    ids: `${idOf("Start")},${idOf("Garden")}`,
  };
  const value = values[parameter];
  assert.ok(value !== undefined, `say what ${parameter} is here`);
  return value;
}

const required = (schema: object): readonly string[] =>
  (schema as { readonly required?: readonly string[] }).required ?? [];
const properties = (schema: object): readonly string[] =>
  Object.keys((schema as { readonly properties?: object }).properties ?? {});

/** Operations about all that the caller may read: their nodes are compared one by one. */
const ofAll: readonly GraphOperation[] = ["overview", "workspaces"];

/** The requests of an operation that are about one workspace, derived from its parameters. */
function requestsAbout(operation: GraphOperation, view: View): string[] {
  const { path, query } = graphOperations[operation];
  const has = (name: string) => properties(query).includes(name);
  const ofWorkspace = path.startsWith("/workspaces/:id/");
  const id = ofWorkspace ? view.id : view.idOf(operation === "rows" ? "Tasks" : "Start");
  const narrowing = ofWorkspace ? [] : ["workspace_id", "under", "id"].filter(has);
  const isNamed = narrowing.length > 0 || required(query).length > 0 || path.includes(":id");
  assert.ok(isNamed || ofAll.includes(operation), `say how ${operation} is asked about one workspace`);
  const pair = (name: string): [string, string] => [name, valueIn(view, name)];
  const asked = [...required(query), ...["q"].filter(has)].map(pair);
  const excerpts = has("excerpts") ? { excerpts: "true" } : {};
  const queries = narrowing.length === 0 ? [[]] : narrowing.map((name) => [pair(name)]);
  return queries.map((narrowed) => {
    const parameters = { ...Object.fromEntries([...asked, ...narrowed]), ...excerpts };
    return `/api/v1${path.replace(":id", id)}?${new URLSearchParams(parameters)}`;
  });
}

/** An answer without cursors, which are of one token. */
function comparable({ status, body, text }: RawAnswer): unknown {
  return {
    status,
    body: JSON.parse(JSON.stringify(body ?? text, (key, value) => (key.endsWith("cursor") ? null : value))),
  };
}

/** The JSON of an answer: of a stream that of its lines. */
function linesIn({ body, text, headers }: RawAnswer): unknown {
  if (!String(headers["content-type"]).startsWith(exportMediaTypes.jsonl)) return body;
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** All nodes anywhere in an answer. */
function nodesIn(value: unknown): Node[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "id" in value && "workspace_id" in value && "title" in value ? [value as Node] : [];
  return [...own, ...Object.values(value).flatMap(nodesIn)];
}

async function callTool(send: Send, token: string, name: ToolName, input: object): Promise<string> {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } };
  const { headers, body } = withJson(message, token);
  const accept = { ...headers, accept: "application/json, text/event-stream" };
  const answer = await send({
    method: "POST",
    path: `/api/v1/mcp?tools=${name},read_page`,
    headers: accept,
    ...(body !== undefined && { body }),
  });
  assert.equal(answer.status, 200, answer.text);
  const { result } = answer.body;
  assert.ok(result?.isError !== true, `${name} ${JSON.stringify(input)} → ${answer.text}`);
  return result.content.map(({ text }: { text: string }) => text).join("\n");
}

/** Parameters of tools by which a call is about one workspace. */
const naming = ["page", "from", "near", "under", "workspace", "query", "id", "database"];

/** The calls of a tool that are about one workspace, derived from its parameters. */
function callsAbout(name: ToolName, view: View): object[] {
  const { input } = tools[name];
  const has = (parameter: string) => properties(input).includes(parameter);
  const argument = (parameter: string): [string, unknown] => {
    const value = valueIn(view, parameter);
    return [parameter, name === "read_page" && parameter === "page" ? [value] : value];
  };
  const asked = [...required(input), ...["question"].filter(has)].map(argument);
  const excerpts = has("excerpts") ? { excerpts: true } : {};
  const calls = naming.filter(has).map((parameter) => ({
    ...Object.fromEntries([...asked, argument(parameter)]),
    ...excerpts,
  }));
  assert.ok(calls.length > 0, `say how ${name} is asked about one workspace`);
  return calls;
}

/** Asserts that an answer is about pages of one workspace, as are those that it names by their ids. */
async function expectOwn({ send, token }: World, { word }: View, name: ToolName, input: object) {
  const others = Object.values(words).filter((other) => other !== word);
  const expectNoOther = (answer: string) => {
    for (const other of others)
      assert.ok(!answer.includes(other), `${name} ${JSON.stringify(input)} → ${answer}`);
  };
  const answer = await callTool(send, token, name, input);
  assert.ok(answer.includes(word), `${name} ${JSON.stringify(input)} → ${answer}`);
  expectNoOther(answer);
  for (const [, id] of answer.matchAll(/\[([0-9a-f]{8,32})\]/g))
    expectNoOther(await callTool(send, token, "read_page", { page: [id] }));
}

test("SRC-1, SRC-2: two folders with the same paths and given ids, and Notion beside them, each answer with their own pages", async (t) => {
  const world = await openWorld(t);
  const { send, token, views } = world;
  const all = new Map(views.flatMap(({ nodes }) => [...nodes]));

  await t.test("no id is in two workspaces", () => {
    assert.equal(
      all.size,
      views.reduce((count, { nodes }) => count + nodes.size, 0),
    );
    assert.deepEqual(
      views.map(({ nodes }) => nodes.size).toSorted(),
      [7, 8, 8],
      "pages, a folder, a database and a tag",
    );
  });

  for (const operation of Object.keys(graphOperations) as GraphOperation[])
    await t.test(
      `${operation}: a page has the answer that a token for its workspace alone gets`,
      async () => {
        for (const view of views)
          for (const path of requestsAbout(operation, view)) {
            const answer = await get(send, path, token);
            assert.equal(answer.status, 200, `${path} ${answer.text}`);
            if (!ofAll.includes(operation))
              assert.deepEqual(comparable(answer), comparable(await get(send, path, view.token)), path);
            for (const { id, workspace_id, title } of nodesIn(linesIn(answer))) {
              const node = all.get(id);
              assert.deepEqual(
                { workspace_id, title },
                { workspace_id: node?.workspace_id, title: node?.title },
                path,
              );
            }
          }
      },
    );

  await t.test("a hit of a search over all of them leads to its own text", async () => {
    for (const { word, id } of views) {
      const { body } = await get(send, `/api/v1/text/?q=${word}&limit=50`, token);
      assert.ok(body.items.length >= 6);
      for (const { node } of body.items) {
        assert.equal(node.workspace_id, id);
        const content = await get(send, `/api/v1/nodes/${node.id}/content/`, token);
        const others = Object.values(words).filter((other) => other !== word);
        for (const other of others) assert.ok(!content.text.includes(other), content.text);
      }
    }
  });

  for (const name of Object.keys(tools) as ToolName[])
    await t.test(
      `${name}: a page is that of its workspace, by its id and by what the answer prints`,
      async () => {
        for (const view of views)
          for (const input of callsAbout(name, view)) await expectOwn(world, view, name, input);
      },
    );
});

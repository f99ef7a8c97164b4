import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { addReadingCommands, Command, ReadingError } from "@clew/cli";
import { captureOutput } from "@clew/cli/testing";
import { graphOperations, tools } from "@clew/contract";
import { type Example, examples, requestPath } from "../../packages/server/src/api/openapi/examples.ts";
import { freshSample } from "../support/fresh-sample.ts";
import { setTimes } from "../support/markdown-folder.ts";
import { startRunning } from "../support/running-clew.ts";
import { clientOf, createToken, signIn, waitForSync } from "../support/session.ts";
import { sharedDemo, syncedDemo } from "../support/shared-demo.ts";
import { type Document, type Located, operationsOf, readDocument } from "./document.ts";

const path = join(import.meta.dirname, "../../packages/server/src/api/openapi/examples.json");

/** The sample's last edit was the day before. */
const now = Date.UTC(2026, 10, 1, 9);

/** The parts that differ between two runs, as the examples have them. */
const shown = {
  url: "http://localhost:8420/",
  workspace: "32a3f2eb-93ec-87e1-a1da-b92b1ed7720f",
  prefix: "svc_XXXXXXXX",
  cursor: "opaque-cursor",
  graphVersion: 12,
  token: `svc_${"X".repeat(32)}`,
  session: "5e551011-0000-4000-8000-000000000000",
  user: "a5e12000-0000-4000-8000-000000000000",
} as const;

/** A Clew with the sample workspace, at a fixed time, and a function that executes examples. */
async function startExecutor() {
  const directory = await freshSample();
  // A database is as old as its file.
  await setTimes(directory, new Date(now - 86_400_000));
  const clew = await startRunning({ directory, clock: () => now });
  const session = await signIn(clew.url);
  const [workspace] = await waitForSync(clew.url, session);
  assert.ok(workspace);
  const { token } = await createToken(clew.url, session, "CI");
  const client = clientOf(clew.url, session);
  const [{ id: userId }, { session_id: sessionId }] = [
    await client.getMe(),
    await client.validateAccessToken(),
  ];
  while ((await client.searchTexts({ q: "text", limit: 1 })).indexed < 1) await sleep(50);

  async function execute(operation: Located, example: Example): Promise<unknown> {
    const { method, path: route, operationId, security } = operation;
    const { accept = "application/json", body, lines, bytes } = example;
    const address = requestPath(route, example).replaceAll(shown.workspace, workspace?.id ?? "");
    const response = await fetch(new URL(address.slice(1), clew.url), {
      method,
      headers: {
        ...authorizationFor(security, { serviceToken: token, session: session.access }),
        accept,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body).replaceAll(shown.workspace, workspace?.id ?? "") }),
    });
    if (bytes !== undefined) {
      assert.deepEqual([response.status, response.headers.get("content-type")], [200, accept], operationId);
      return Buffer.from(await response.arrayBuffer()).toString("hex", 0, bytes);
    }
    const text = (await response.text())
      .replaceAll(clew.url.href, shown.url)
      .replaceAll(workspace?.id ?? "", shown.workspace)
      .replaceAll(/svc_\w{32}/g, shown.token)
      .replaceAll(/svc_\w{8}(?!\w)/g, shown.prefix)
      .replaceAll(sessionId, shown.session)
      .replaceAll(basename(directory), "handbook")
      .replaceAll(userId, shown.user)
      .replaceAll(/"graph_version":\d+/g, `"graph_version":${shown.graphVersion}`)
      .replaceAll(/"next_cursor":"[^"]+"/g, `"next_cursor":"${shown.cursor}"`);
    assert.ok([200, 201].includes(response.status), `${operationId}: ${text}`);
    assert.equal(response.headers.get("content-type")?.split(";")[0], accept, operationId);
    if (lines !== undefined) {
      const all = text.split(/(?<=\n)/);
      return lines.map((line) => all.at(line)).join("");
    }
    return accept === "application/json" ? JSON.parse(text) : text;
  }

  return {
    execute,
    document: await readDocument(clew.url),
    async stop() {
      await clew.stop();
      await rm(directory, { recursive: true });
    },
  };
}

/** The header of the credentials that an operation needs. */
function authorizationFor(
  security: Located["security"],
  tokens: Readonly<Record<string, string>>,
): Record<string, string> {
  const [kind] = Object.keys(security[0] ?? {});
  return kind === undefined ? {} : { authorization: `Bearer ${tokens[kind]}` };
}

const ofV1 = (document: Document) =>
  operationsOf(document).filter(({ path: route }) => route.startsWith("/api/v1/"));

test("GRAPH-14: Clew answers the examples of the OpenAPI document as it says", async (t) => {
  const { document, execute, stop } = await startExecutor();
  t.after(stop);
  const answered: Record<string, readonly Example[]> = {};
  for (const operation of operationsOf(document)) {
    const own = [];
    for (const example of examples[operation.operationId] ?? []) {
      const isAnswered = example.response !== undefined;
      own.push(isAnswered ? { ...example, response: await execute(operation, example) } : example);
    }
    if (own.length > 0) answered[operation.operationId] = own;
  }
  if (process.env.WRITE_DOCS === "1") await writeFile(path, `${JSON.stringify(answered, null, 2)}\n`);
  else assert.deepEqual(answered, examples, "examples.json is out of date: run npm run docs");
});

test("GRAPH-14: every operation of V1 has an example, and every parameter a value", async () => {
  const url = await sharedDemo();
  const operations = ofV1(await readDocument(url));
  assert.ok(operations.length > 15);
  for (const { operationId, parameters = [], responses } of operations) {
    const found = Object.values(responses["200"]?.content ?? {}).flatMap((media) =>
      Object.values(media.examples ?? {}),
    );
    assert.equal(found.length, examples[operationId]?.length, operationId);
    assert.ok(found.length > 0, operationId);
    // A cursor means something to the Clew alone that gave it.
    for (const { name, example } of parameters)
      assert.ok(example !== undefined || name === "cursor", `${operationId} has no example of ${name}`);
  }
});

test("GRAPH-14: the reference has a call for every tool's operation, which the tool answers", async () => {
  const url = await syncedDemo();
  const { token } = await createToken(url, await signIn(url), "an agent of the examples");
  const shown = new Map(Object.entries(examples).map(([id, [first]]) => [id, first?.tool]));
  for (const [name, { operations }] of Object.entries(tools)) {
    if (["search", "fetch"].includes(name)) continue;
    for (const operation of operations)
      assert.ok(shown.get(graphOperations[operation].operationId) !== undefined, `${operation}: ${name}`);
  }
  for (const [id, tool] of shown) {
    if (tool === undefined) continue;
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: tool };
    const response = await fetch(new URL("api/v1/mcp/", url), {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(message),
    });
    const text = await response.text();
    assert.equal(response.status, 200, `${id}: ${text}`);
    assert.doesNotMatch(text, /"isError":true|"error":/, id);
  }
});

test("GRAPH-14: the commands of the reference find what they are about", async () => {
  const url = await syncedDemo();
  const { token } = await createToken(url, await signIn(url), "a terminal of the examples");
  const environment = { CLEW_URL: url.href, CLEW_TOKEN: token };
  const commands = Object.values(examples).flatMap(([first]) => first?.command ?? []);
  assert.ok(commands.length > 8);
  for (const command of new Set(commands)) {
    const { reading, output, warnings } = captureOutput();
    const program = new Command().exitOverride();
    addReadingCommands(program, { ...reading, env: environment });
    const failure = await program.parseAsync(command.split(" ").slice(1), { from: "user" }).then(
      () => null,
      (error: unknown) => error,
    );
    const said = `${command}: ${failure} ${warnings.join(" ")}`;
    // Nobody edits the sample from day to day, and links that lead nowhere are what one of them looks for.
    if (/^clew (?:recent|check broken)/.test(command))
      assert.ok(failure === null || (failure instanceof ReadingError && failure.exitCode === 1), said);
    else assert.ok(failure === null && output() !== "", said);
  }
});

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { ExportLine } from "@clew/client";
import type { Content } from "@clew/contract";
import { writeFiles } from "../support/markdown-folder.ts";
import { senderTo } from "../support/raw-request.ts";
import { startRunning } from "../support/running-clew.ts";
import { clientOf, createToken, signIn, waitForSync } from "../support/session.ts";
import { stageOf } from "../support/stage.ts";
import { get, withJson } from "./surface.ts";

/** A table whose reading takes many times the processor time that a text of its length may have. */
const columns = 3_000;
const hugeTable = [
  "|a".repeat(columns),
  "|-".repeat(columns),
  ...Array.from({ length: 600 }, () => "|x"),
  "",
].join("\n");

const mark = "[The rest of this page was not read.]";
const note = "(This page was not read whole: a part of its text is missing.)";

test("GRAPH-5, SYNC-5: a text that is cut says so wherever it is shown, until its page is read whole again", async (t) => {
  const stage = await stageOf(t);
  const folder = join(stage.folder, "wiki");
  const whole = "The heron waits.\n\nThe last words.\n";
  await writeFiles(folder, {
    "Heron.md": `# Heron\n\n${whole}`,
    "Crane.md": "# Crane\n\nThe crane dances, as the [[Heron]] knows.\n",
  });
  const { url, stop } = await startRunning({ env: { FOLDERS: `wiki=${folder}` } });
  stage.defer(stop);
  const session = await signIn(url);
  await waitForSync(url, session);
  const { token } = await createToken(url, session, "agent");
  const client = clientOf(url, session);
  const send = senderTo(url);
  const { items: found } = await client.searchPages({ q: "heron", limit: 1 });
  const id = found[0]?.node.id ?? "";
  const path = `/api/v1/nodes/${id}/content/`;

  const content = async (): Promise<Content> => (await get(send, path, token)).body;
  const tagOf = async () => String((await get(send, path, token)).headers.etag);
  /** Reads the file again, as soon as its text begins so. */
  const written = async (text: string, isThere: (content: Content) => boolean) => {
    await writeFile(join(folder, "Heron.md"), `# Heron\n\n${text}`);
    while (!isThere(await content())) await sleep(50);
    const [workspace] = await waitForSync(url, session);
    await client.startSync({ id: workspace?.id ?? "" });
    const [after] = await waitForSync(url, session);
    assert.ok(after);
    const { items } = await client.listSyncs({ id: after.id });
    return { after, report: items[0] };
  };
  const tool = async (name: string, input: object): Promise<string> => {
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } };
    const { headers, body = "" } = withJson(message, token);
    const accept = { ...headers, accept: "application/json, text/event-stream" };
    const answer = await send({ method: "POST", path: `/api/v1/mcp?tools=${name}`, headers: accept, body });
    return answer.body.result.content[0].text;
  };
  const shown = async () => {
    const exported = (await get(send, "/api/v1/export/?text=true", token)).text.trim().split("\n");
    const texts = exported
      .map((line): ExportLine => JSON.parse(line))
      .flatMap((line) => ("text" in line && line.text.node_id === id ? [line.text.truncated] : []));
    const context = await get(send, `/api/v1/context/?id=${id}`, token);
    return {
      content: (await content()).truncated,
      export: texts,
      context: context.body.markdown.includes(`\n${note}`),
      read_page: (await tool("read_page", { page: id })).includes(`\n${note}\n`),
      build_context: (await tool("build_context", { near: id })).includes(`\n${note}`),
      fetch: JSON.parse(await tool("fetch", { id })).metadata.truncated,
    };
  };
  const nowhere = {
    content: undefined,
    export: [undefined],
    context: false,
    read_page: false,
    build_context: false,
    fetch: undefined,
  };
  assert.deepEqual(await shown(), nowhere);
  const before = await content();

  const cut = await written(`The heron flies.\n\n${hugeTable}`, ({ truncated }) => truncated === true);
  assert.deepEqual(
    [
      cut.after.sync.outcome,
      cut.report?.outcome,
      cut.report?.failed.map(({ title, reason }) => [title, reason]),
    ],
    ["incomplete", "incomplete", [["Heron", "The text is cut: it takes too much processor time to read"]]],
  );
  const { markdown, total_chars: chars } = await content();
  assert.ok(markdown.startsWith("The heron flies."), markdown.slice(0, 100));
  const { body: end } = await get(send, `${path}?offset=${chars - 100}`, token);
  assert.ok(end.markdown.replaceAll("\\", "").endsWith(mark), end.markdown);
  assert.equal(end.truncated, true, "a part says so too");
  const everywhere = { content: true, export: [true], context: true, read_page: true, build_context: true };
  assert.deepEqual(await shown(), { ...everywhere, fetch: true });
  const tag = await tagOf();
  assert.doesNotMatch(await tool("read_page", { page: "Crane" }), /not read whole/);

  const mended = await written(whole, ({ truncated }) => truncated === undefined);
  assert.deepEqual([mended.after.sync.outcome, mended.report?.failed], ["complete", []]);
  assert.equal((await content()).markdown, before.markdown);
  assert.deepEqual(await shown(), nowhere);
  assert.notEqual(await tagOf(), tag);
});

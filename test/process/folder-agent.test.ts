import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { writeFolder } from "@clew/folder/testing";
import { main, withoutEnvFile, withoutSettings } from "../support/clew-process.ts";

interface Answer {
  readonly id: number;
  readonly result?: {
    readonly protocolVersion?: string;
    readonly content?: readonly { readonly text: string }[];
  };
}

/** An agent's end of a process over a folder. */
async function startAgent(t: TestContext, folder: string, state: string) {
  const child = spawn(process.execPath, [main, "mcp", "--dir", folder], {
    cwd: withoutEnvFile,
    // Settings of a server that it must not become.
    env: { ...withoutSettings, XDG_STATE_HOME: state, PORT: "1", NOTION_TOKEN: "ntn_unused" },
  });
  t.after(() => child.kill("SIGKILL"));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const warnings: string[] = [];
  child.stderr.setEncoding("utf8").on("data", (text) => warnings.push(text));
  let id = 0;
  const send = async (method: string, params: object): Promise<Answer> => {
    id += 1;
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    const { value } = await lines.next();
    assert.ok(value !== undefined, `it ended: ${warnings.join("")}`);
    return JSON.parse(value);
  };
  const use = async (name: string, input: object): Promise<string> => {
    const { result } = await send("tools/call", { name, arguments: input });
    return result?.content?.[0]?.text ?? "";
  };
  const clientInfo = { name: "an agent", version: "1" };
  await send("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  return {
    warnings,
    search: (query: string) => use("search_pages", { query }),
    read: (page: string) => use("read_page", { page }),
    async end(): Promise<number> {
      child.stdin.end();
      const [code] = await once(child, "close");
      return code;
    },
  };
}

test("AGT-7: `clew mcp --dir` answers about a folder without a server or a token, follows its edits, and ends with the agent", async (t) => {
  const folder = await writeFolder(t, {
    "Theseus.md": "He followed the [[Ariadne|thread]].",
    "Ariadne.md": "She held a ball of yarn.",
  });
  const state = await writeFolder(t, {});
  const agent = await startAgent(t, folder, state);
  // Texts too: the first call waits until the folder was read.
  assert.match(await agent.search("yarn"), /Ariadne \[/);
  // Links name pages by ids that the tools take.
  const [, id = ""] = /mention-page url="([0-9a-f]+)"/.exec(await agent.read("Theseus")) ?? [];
  assert.match(await agent.read(id), /^# Ariadne \[/);
  const other = await startAgent(t, folder, state);
  assert.match(await other.search("yarn"), /Ariadne \[/);
  await writeFile(join(folder, "Daedalus.md"), "He built the labyrinth.");
  for (const each of [agent, other])
    while (!/Daedalus \[/.test(await each.search("labyrinth"))) await sleep(100);
  assert.equal(await other.end(), 0);
  assert.match(await agent.search("yarn"), /Ariadne \[/);
  assert.equal(await agent.end(), 0);
  assert.deepEqual([agent.warnings, other.warnings], [[], []]);

  // The next one begins with what is known.
  const [kept] = await readdir(join(state, "clew", "folders"));
  assert.match(kept ?? "", /^notes-[0-9a-f]{16}$/);
  const next = await startAgent(t, folder, state);
  assert.match(await next.search("labyrinth"), /Daedalus \[/);
  assert.equal(await next.end(), 0);
});

test("SRC-2: `clew mcp --dir` warns of what it does not read", async (t) => {
  const folder = await writeFolder(t, { "Theseus.md": "He followed the thread.", "notes.txt": "" });
  const agent = await startAgent(t, folder, await writeFolder(t, {}));
  assert.match(await agent.search("thread"), /Theseus/);
  assert.equal(await agent.end(), 0);
  assert.equal(agent.warnings.join(""), "clew mcp: ignored a part of the folder (not read: 1 .txt)\n");
});

test("AGT-7: `clew mcp --dir` says in one line that there is no such folder", async (t) => {
  const folder = await writeFolder(t, { "page.md": "text" });
  for (const [path, says] of [
    [join(folder, "nowhere"), /nowhere cannot be read: name a folder of Markdown\.\n$/],
    [join(folder, "page.md"), /page\.md is a file: name a folder of Markdown\.\n$/],
  ] as const) {
    const env = { ...withoutSettings, XDG_STATE_HOME: folder };
    const child = spawn(process.execPath, [main, "mcp", "--dir", path], { env, cwd: withoutEnvFile });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
    const [code] = await once(child, "close");
    assert.deepEqual([code, says.test(said), said.split("\n").length], [2, true, 2], said);
  }
});

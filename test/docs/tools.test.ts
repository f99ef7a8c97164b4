import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { tools } from "@clew/contract";
import { countTokens } from "../../packages/server/src/model/tokens.ts";
import { createToken, signIn } from "../support/session.ts";
import { sharedDemo } from "../support/shared-demo.ts";

const path = join(import.meta.dirname, "../../docs/tools.json");

test("AGT-1: docs/tools.json is the list of tools as it is sent, in at most 1 800 tokens", async () => {
  const url = await sharedDemo();
  const { token } = await createToken(url, await signIn(url), "tools");
  const listed = async (query: string) => {
    const response = await fetch(new URL(`api/v1/mcp${query}`, url), {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        accept: "application/json",
        "content-type": "application/json",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    return response.text();
  };
  const sent = await listed("");
  const tokens = countTokens(sent);
  assert.ok(tokens <= 1800, `${tokens} tokens`);
  const all = JSON.parse(await listed(`?tools=${Object.keys(tools).join()}`)).result.tools;
  assert.deepEqual(JSON.parse(sent).result.tools, all.slice(0, JSON.parse(sent).result.tools.length));
  const written = `${JSON.stringify(all, null, 2)}\n`;
  if (process.env.WRITE_DOCS === "1") await writeFile(path, written);
  assert.equal(await readFile(path, "utf8"), written, "docs/tools.json is out of date: run npm run docs");
});

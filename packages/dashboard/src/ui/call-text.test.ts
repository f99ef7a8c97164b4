import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { curlOf, toolCallOf } from "./call-text.ts";

const clew = new URL("https://clew.example/tools/");

test("OPS-7: a copied command reaches the shell as it is, whatever was searched", () => {
  const q = `a "b" 'c' $(touch /tmp/x) \`d\` !e \\ %20 ü & ; \n f`;
  const command = curlOf(clew, "search/", { q, is: ["orphan", "-row"], limit: 5, under: undefined });
  const script = `curl() { printf '%s\\n' "$@"; }\n${command}`;
  const env = { CLEW_TOKEN: "svc_test" };
  const [flag, header, value, address = ""] = execFileSync("/bin/sh", ["-c", script], {
    env,
    encoding: "utf8",
  }).split("\n");
  assert.deepEqual([flag, header, value], ["--fail-with-body", "-H", "Authorization: Bearer svc_test"]);
  const url = new URL(address);
  assert.equal(url.origin + url.pathname, "https://clew.example/tools/api/v1/search/");
  assert.deepEqual(
    [...url.searchParams],
    [
      ["q", q],
      ["is", "orphan"],
      ["is", "-row"],
      ["limit", "5"],
    ],
  );
  assert.doesNotMatch(command, /svc_/);
});

test("AGT-1: a copied call of a tool is JSON that an MCP client sends", () => {
  assert.deepEqual(JSON.parse(toolCallOf("find_paths", { from: "Jupiter", to: "Crux" })), {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "find_paths", arguments: { from: "Jupiter", to: "Crux" } },
  });
});

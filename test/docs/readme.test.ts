import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { graphOperations } from "@clew/contract";

const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");

/** The scopes that the README's table states, by the path of an operation below `/api/v1`, without its query. */
function statedScopes(): Map<string, string> {
  const stated = new Map<string, string>();
  for (const [, paths = "", scopes = ""] of readme.matchAll(/^\| (`\/[^|]+) \| ([^|]+) \| [^|]+ \|$/gm)) {
    for (const [, path = ""] of paths.matchAll(/`([^`?]+)[^`]*`/g)) stated.set(path, scopes);
  }
  return stated;
}

function scopesInWords(scopes: readonly string[]): string {
  if (scopes.length === 0) return "any";
  return scopes.length === 3 ? "all three" : scopes.map((scope) => `\`${scope}\``).join(" and ");
}

test("GRAPH-14: the README's table has every operation that reads the graph, with its scopes", () => {
  const stated = statedScopes();
  for (const { path, scopes } of Object.values(graphOperations)) {
    assert.equal(stated.get(path.replace(":id", "<id>")), scopesInWords(scopes), path);
  }
});

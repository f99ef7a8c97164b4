import assert from "node:assert/strict";
import { test } from "node:test";
import { isOnlyIfNamed, scopeNames, scopesOfTool, type ToolName, tools } from "@clew/contract";
import { scopeNames as ownScopeNames, toolsOf } from "./limits.ts";

test("AGT-1: a token's page lists the tools that the token can call, for every set of scopes", () => {
  assert.deepEqual(ownScopeNames, scopeNames);
  const names = (Object.keys(tools) as ToolName[]).filter((name) => !isOnlyIfNamed(name));
  const sets = Array.from({ length: 8 }, (_, bits) =>
    scopeNames.filter((_, index) => (bits & (1 << index)) !== 0),
  );
  assert.equal(scopeNames.length, 3);
  for (const scopes of sets) {
    const callable = names.filter((name) => scopesOfTool(name).every((scope) => scopes.includes(scope)));
    assert.deepEqual(toolsOf(scopes).toSorted(), callable.toSorted(), scopes.join());
  }
});

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { writeApi } from "../../scripts/client/write-api.ts";
import { sharedDemo } from "../support/shared-demo.ts";

const path = join(import.meta.dirname, "../../packages/client/src/api.ts");

function formatted(source: string): string {
  const biome = fileURLToPath(import.meta.resolve("@biomejs/biome/bin/biome"));
  const words = [biome, "format", `--stdin-file-path=${path}`];
  return execFileSync(process.execPath, words, { input: source, encoding: "utf8" });
}

test("GRAPH-14: the client has the types and operations of the OpenAPI document", async () => {
  const url = await sharedDemo();
  const response = await fetch(new URL("api/v1/openapi.json", url));
  const written = formatted(`${writeApi(JSON.parse(await response.text()))}\n`);
  if (process.env.WRITE_DOCS === "1") writeFileSync(path, written);
  assert.equal(
    readFileSync(path, "utf8") === written,
    true,
    "packages/client is out of date: run npm run docs",
  );
});

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { migrationsTable, versionsTable } from "../../scripts/release/versions.ts";

const path = join(import.meta.dirname, "../../docs/upgrade.md");

test("OPS-11: docs/upgrade.md says what each version opens, as the migrations have it", async () => {
  const document = await readFile(path, "utf8");
  let written = document;
  for (const [name, table] of Object.entries({ versions: versionsTable(), migrations: migrationsTable() })) {
    const block = new RegExp(`(?<=<!-- ${name}, written by npm run docs -->\n)[^]*?(?=<!-- end -->)`);
    assert.match(document, block, `the markers of the ${name} are there`);
    written = written.replace(block, () => `${table}\n`);
  }
  if (process.env.WRITE_DOCS === "1") await writeFile(path, written);
  assert.equal(await readFile(path, "utf8"), written, "docs/upgrade.md is out of date: run npm run docs");
});

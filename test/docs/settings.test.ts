import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { commandSettings, type Setting, settings } from "@clew/contract/settings";

const path = join(import.meta.dirname, "../../docs/operations.md");

function tableOf(table: Readonly<Record<string, Setting>>): string {
  const rows = Object.entries(table).map(
    ([name, setting]) => `| \`${name}\` | ${defaultOf(setting)} | ${setting.help} |`,
  );
  return ["| variable | default | meaning |", "|---|---|---|", ...rows].join("\n");
}

function defaultOf({ type, default: value, otherwise }: Setting): string {
  if (value === null || value === "") return otherwise?.replaceAll(/\{(\w+)\}/g, "$1") ?? "none";
  return type === "flag" ? "off" : `\`${value}\``;
}

test("docs/operations.md lists every setting of the settings table", async () => {
  const document = await readFile(path, "utf8");
  let written = document;
  for (const [name, table] of Object.entries({ settings, "command settings": commandSettings })) {
    const block = new RegExp(`(?<=<!-- ${name}, written by npm run docs -->\n)[^]*?(?=\n<!-- end -->)`);
    assert.match(document, block, `the markers of the ${name} are there`);
    written = written.replace(block, () => tableOf(table));
  }
  if (process.env.WRITE_DOCS === "1") await writeFile(path, written);
  assert.equal(await readFile(path, "utf8"), written, "docs/operations.md is out of date: run npm run docs");
});

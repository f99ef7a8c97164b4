import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { exitCodes, exitCodeTable } from "@clew/cli";
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

/** Compares what is between two markers of docs/operations.md with what the code says, or writes it (`npm run docs`). */
async function expectTables(tables: Readonly<Record<string, string>>): Promise<void> {
  const document = await readFile(path, "utf8");
  let written = document;
  for (const [name, table] of Object.entries(tables)) {
    const block = new RegExp(`(?<=<!-- ${name}, written by npm run docs -->\n)[^]*?(?=<!-- end -->)`);
    assert.match(document, block, `the markers of the ${name} are there`);
    written = written.replace(block, () => `${table}\n`);
  }
  if (process.env.WRITE_DOCS === "1") await writeFile(path, written);
  assert.equal(await readFile(path, "utf8"), written, "docs/operations.md is out of date: run npm run docs");
}

test("docs/operations.md lists every setting of the settings table", () =>
  expectTables({ settings: tableOf(settings), "command settings": tableOf(commandSettings) }));

test("OPS-7: docs/operations.md says what each exit code means, and whether to start Clew again", () => {
  assert.deepEqual(
    exitCodeTable.map(({ code }) => code),
    [...new Set([0, ...Object.values(exitCodes)])],
  );
  const rows = exitCodeTable.map(({ code, meaning, restart }) => `| ${code} | ${meaning} | ${restart} |`);
  return expectTables({
    "exit codes": ["| exit code | meaning | start it again |", "|---|---|---|", ...rows].join("\n"),
  });
});

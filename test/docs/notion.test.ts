import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { type Reading, vocabulary } from "@clew/notion";

const path = join(import.meta.dirname, "../../docs/notion.md");

const titles: Readonly<Record<keyof typeof vocabulary, string>> = {
  blocks: "Blocks",
  properties: "Properties",
  formulaResults: "Results of formulas",
  rollupResults: "Results of rollups",
  richTexts: "Rich text",
  mentions: "Mentions",
  parents: "Parents",
  icons: "Icons",
  pageFields: "Fields of pages",
  databaseFields: "Fields of databases",
  dataSourceFields: "Fields of data sources",
  events: "Webhook events",
  services: "Parts of the API",
};

/** A section for each table: rows of what is read alike are one. */
function sections(): string {
  return Object.entries(titles)
    .map(([name, title]) => {
      const readings = Object.entries<Reading>(vocabulary[name as keyof typeof vocabulary]);
      const alike = Map.groupBy(
        readings,
        ([, { as, how }]) => `${as === "none" ? "**not read**" : as} | ${how}`,
      );
      const rows = [...alike].map(
        ([reading, some]) => `| ${some.map(([type]) => `\`${type}\``).join(", ")} | ${reading} |`,
      );
      return [`### ${title}`, "", "| what | read as | how |", "|---|---|---|", ...rows].join("\n");
    })
    .join("\n\n");
}

test("SRC-6: docs/notion.md says of everything in Notion's API how it is read", async () => {
  const document = await readFile(path, "utf8");
  const block = /(?<=<!-- vocabulary, written by npm run docs -->\n)[\s\S]*?(?=<!-- end -->)/;
  assert.match(document, block);
  const written = document.replace(block, () => `\n${sections()}\n\n`);
  if (process.env.WRITE_DOCS === "1") await writeFile(path, written);
  assert.equal(await readFile(path, "utf8"), written, "docs/notion.md is out of date: run npm run docs");
});

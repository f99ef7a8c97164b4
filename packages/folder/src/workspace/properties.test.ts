import assert from "node:assert/strict";
import { test } from "node:test";
import { writeFolder } from "../testing/index.ts";
import type { Entry } from "./entry.ts";
import { openWorkspace } from "./open.ts";
import type { PropertyValue } from "./properties.ts";
import type { Workspace } from "./workspace.ts";

const yaml = `---
title: 1509951255388504066
aliases: [9007199254740993, short]
tags: [9007199254740993, 7]
tweet: 1509951255388504066
least: -9007199254740993
nested: { id: 1509951255388504066 }
list: [9007199254740993, 1]
anchored: &id 9007199254740995
again: *id
huge: 1e400
hex: 0x20000000000001
octal: 0o400000000000000001
point: 9007199254740993.0
code: 007
safe: 9007199254740991
small: 0.25
version: 1.10
---
`;

const toml = `+++
title = 1509951255388504066
long = 1_509_951_255_388_504_066
list = [ 9007199254740993, 2 ]
huge = 1e400
thousand = 1_000
hex = 0xDEADBEEF
+++
`;

/** A value as the folder gives it: its text, its number, or its options. */
function plainValue(value: PropertyValue): unknown {
  if (value.type === "rich_text")
    return value.text.map((span) => (span.kind === "text" ? span.text : "?")).join("");
  if (value.type === "number") return value.number;
  return value.type === "multi_select" || value.type === "select" ? Object.values(value).at(-1) : null;
}

function valuesOf(workspace: Workspace, page: Entry): Record<string, unknown> {
  const others = workspace.properties(page).filter(({ value }) => value.type !== "title");
  return Object.fromEntries(others.map(({ name, value }) => [name, plainValue(value)]));
}

function pageAt(workspace: Workspace, path: string): Entry {
  const page = workspace.entries.find((entry) => entry.path === path);
  assert.ok(page, path);
  return page;
}

test("SRC-2: a number of front matter that a number does not hold is given as it is written", async (t) => {
  const folder = await writeFolder(t, { "yaml.md": yaml, "toml.md": toml });
  const workspace = (await openWorkspace(folder)).current();
  const page = pageAt(workspace, "yaml.md");
  assert.equal(page.title, "1509951255388504066");
  assert.deepEqual(page.aliases, ["yaml", "9007199254740993", "short"]);
  assert.deepEqual(
    workspace
      .tags()
      .of(page)
      .map(({ tag }) => tag.name),
    ["9007199254740993", "7"],
  );
  assert.deepEqual(valuesOf(workspace, page), {
    aliases: ["9007199254740993", "short"],
    tags: ["9007199254740993", "7"],
    tweet: "1509951255388504066",
    least: "-9007199254740993",
    nested: '{"id":"1509951255388504066"}',
    list: ["9007199254740993", "1"],
    anchored: "9007199254740995",
    again: "9007199254740995",
    huge: "1e400",
    hex: "0x20000000000001",
    octal: "0o400000000000000001",
    point: "9007199254740993.0",
    code: "007",
    safe: 9007199254740991,
    small: 0.25,
    version: 1.1,
  });
  assert.equal(pageAt(workspace, "toml.md").title, "1509951255388504066");
  assert.deepEqual(valuesOf(workspace, pageAt(workspace, "toml.md")), {
    long: "1_509_951_255_388_504_066",
    list: ["9007199254740993", "2"],
    huge: "1e400",
    thousand: 1000,
    hex: "0xDEADBEEF",
  });
});

test("SRC-2: a database shows such a number as it is written, in its options and in a column of numbers", async (t) => {
  const folder = await writeFolder(t, {
    "rows/_database.yml":
      "title: Rows\nproperties:\n  Tweet: { type: number }\n  Kind: { type: select, options: [9007199254740993, 1] }\n",
    "rows/a.md": "---\nTweet: 1509951255388504066\nKind: 9007199254740993\n---\n",
    "rows/b.md": "---\nTweet: 12\nKind: 1\n---\n",
    "rows/c.md": "---\nTweet: many\n---\n",
  });
  const workspace = (await openWorkspace(folder)).current();
  const [, kind] = pageAt(workspace, "rows").schema?.properties ?? [];
  assert.deepEqual(kind?.options, ["9007199254740993", "1"]);
  assert.deepEqual(valuesOf(workspace, pageAt(workspace, "rows/a.md")), {
    Tweet: "1509951255388504066",
    Kind: "9007199254740993",
  });
  assert.deepEqual(valuesOf(workspace, pageAt(workspace, "rows/b.md")), { Tweet: 12, Kind: "1" });
  assert.deepEqual(valuesOf(workspace, pageAt(workspace, "rows/c.md")), { Tweet: null, Kind: null });
});

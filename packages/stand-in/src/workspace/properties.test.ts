import assert from "node:assert/strict";
import { test } from "node:test";
import { type Client, isFullDataSource, isFullPage, type PageObjectResponse } from "@notionhq/client";
import { idsByTitle } from "../testing/references.ts";
import { serveFiles } from "../testing/serve-folder.ts";

const schema = `title: Stars
title_property: Star
properties:
  Text: { type: rich_text }
  Number: { type: number }
  Choice: { type: select, options: [giant, dwarf] }
  Choices: { type: multi_select }
  State: status
  Day: { type: date }
  Range: { type: date }
  Bright: { type: checkbox }
  Site: { type: url }
  Mail: { type: email }
  In: { type: relation, database: ../constellations }
  Wrong: { type: colour }
`;

const row = `---
title: Rigel
Text: "a *star* in [[Orion]]"
Number: 0.13
Choice: supergiant
Choices: [blue, white, blue]
State: Done
Day: 2026-01-31
Range: 2026-01-31/2026-02-01
Bright: true
Site: https://rigel.example
Mail: rigel@sky.example
In: ../constellations/orion.md
Unlisted: is no column
---
`;

const files = {
  "stars/_database.yml": schema,
  "stars/rigel.md": row,
  "stars/empty.md": "---\ntitle: Empty\nNumber: many\nDay: someday\n---\n",
  "constellations/_database.yml":
    "title: Constellations\nproperties:\n  Stars: { type: relation, database: ../stars }",
  "constellations/orion.md": "---\ntitle: Orion\nStars: ['[[Rigel]]', ../stars/nobody.md]\n---\n",
  "orion.md": "# Orion, the hunter",
};

async function readPage(notion: Client, title: string): Promise<PageObjectResponse> {
  const page = await notion.pages.retrieve({ page_id: (await idsByTitle(notion)).get(title) ?? "" });
  assert.ok(isFullPage(page));
  return page;
}

/** A page's properties without ids, texts as they read. */
function values(page: PageObjectResponse): Record<string, unknown> {
  const entries = Object.entries(page.properties).map(([name, { id: _, ...property }]) => {
    const value: unknown = Object.entries(property).find(([key]) => key === property.type)?.[1];
    return [name, simple(value)];
  });
  return Object.fromEntries(entries);
}

function simple(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simple);
  if (typeof value !== "object" || value === null) return value;
  if ("plain_text" in value) return value.plain_text;
  return "name" in value ? value.name : value;
}

test("front matter fills the columns of a row", async (t) => {
  const { signIn, standIn } = await serveFiles(t, files);
  const { notion } = await signIn();
  const ids = await idsByTitle(notion);
  assert.deepEqual(values(await readPage(notion, "Rigel")), {
    Star: ["Rigel"],
    Text: ["a ", "star", " in ", "Orion, the hunter"],
    Number: 0.13,
    Choice: "supergiant",
    Choices: ["blue", "white"],
    State: "Done",
    Day: { start: "2026-01-31", end: null, time_zone: null },
    Range: { start: "2026-01-31", end: "2026-02-01", time_zone: null },
    Bright: true,
    Site: "https://rigel.example",
    Mail: "rigel@sky.example",
    In: [{ id: ids.get("Orion") }],
  });
  assert.deepEqual(values(await readPage(notion, "Empty")), {
    Star: ["Empty"],
    Text: [],
    Number: null,
    Choice: null,
    Choices: [],
    State: null,
    Day: null,
    Range: null,
    Bright: false,
    Site: null,
    Mail: null,
    In: [],
  });
  assert.deepEqual(values(await readPage(notion, "Orion")).Stars, [{ id: ids.get("Rigel") }]);
  assert.deepEqual(standIn.workspace().unresolvedLinks(), [
    { path: "constellations/orion.md", target: "../stars/nobody.md", reason: "missing" },
  ]);
  assert.match(standIn.workspace().warnings[0]?.message ?? "", /Wrong/);
});

test("a data source lists its columns, with the options that rows use", async (t) => {
  const { signIn } = await serveFiles(t, files);
  const { notion } = await signIn();
  const found = await notion.search({ query: "stars", filter: { property: "object", value: "data_source" } });
  const source = await notion.dataSources.retrieve({ data_source_id: found.results[0]?.id ?? "" });
  assert.ok(isFullDataSource(source));
  const { Choice, In, Star, State } = source.properties;
  assert.equal(Star?.type, "title");
  assert.ok(Choice?.type === "select" && State?.type === "status" && In?.type === "relation");
  assert.deepEqual(
    Choice.select.options.map(({ name }) => name),
    ["giant", "dwarf", "supergiant"],
  );
  assert.deepEqual(
    State.status.options.map(({ name }) => name),
    ["Done"],
  );
  const constellations = await notion.databases.retrieve({ database_id: In.relation.database_id });
  assert.ok("data_sources" in constellations);
  assert.equal(constellations.data_sources[0]?.id, In.relation.data_source_id);
});

test("front matter of other pages becomes properties, with types that follow from the values", async (t) => {
  const { signIn } = await serveFiles(t, {
    "home.md": "# Home",
    "page.md": `---
title: Page
icon: 🌍
created: 2026-01-01
text: plain words
number: 3
flag: false
day: 2026-01-31
tags: [one, two, 3]
gaps: [one, "", null]
up: [[Home]]
see: ["[[Home]]", "[[Nobody|they]]"]
also:
  - [[Home]]
  - words
at: "3[[1999-01-01]]4"
empty: [null]
site: https://site.example/x
nothing:
nested: { a: [1] }
mixed: [{ a: 1 }, null]
---
`,
  });
  const { notion } = await signIn();
  const page = await readPage(notion, "Page");
  assert.deepEqual(values(page), {
    title: ["Page"],
    text: ["plain words"],
    number: 3,
    flag: false,
    day: { start: "2026-01-31", end: null, time_zone: null },
    tags: ["one", "two", "3"],
    gaps: ["one"],
    up: ["Home"],
    see: ["Home", ", ", "they"],
    also: ["Home", ", words"],
    at: ["3 ", "1999-01-01", " 4"],
    empty: [],
    site: "https://site.example/x",
    nested: ['{"a":[1]}'],
    mixed: ['[{"a":1}]'],
  });
});

test("a page object holds 25 values of a list, and the rest is paginated", async (t) => {
  const many = Array.from({ length: 60 }, (_, index) => `./row-${index}.md`);
  const links = Array.from({ length: 40 }, (_, index) => `[[Row ${index}]]`).join(" ");
  const { signIn } = await serveFiles(t, {
    "rows/_database.yml":
      "title: Rows\nproperties:\n  Peers: { type: relation, database: . }\n  Text: rich_text",
    "rows/all.md": `---\ntitle: All\nPeers: ${JSON.stringify(many)}\nText: "${links}"\n---\n`,
    ...Object.fromEntries(many.map((name, index) => [`rows/${name}`, `# Row ${index}`])),
  });
  const { notion } = await signIn();
  const page = await readPage(notion, "All");
  const { Peers, Text } = page.properties;
  assert.ok(Peers?.type === "relation" && Text?.type === "rich_text");
  assert.deepEqual([Peers.relation.length, Text.rich_text.length], [25, 25]);
  assert.equal("has_more" in Peers && Peers.has_more, true);
  const peers = await allItems(notion, page.id, Peers.id);
  assert.equal(new Set(peers.map((item) => JSON.stringify(item))).size, 60);
  assert.equal((await allItems(notion, page.id, Text.id)).length, 79);
  const number = await notion.pages.properties.retrieve({ page_id: page.id, property_id: "title" });
  assert.equal(number.object, "list");
});

async function allItems(notion: Client, pageId: string, propertyId: string): Promise<unknown[]> {
  const items: unknown[] = [];
  let cursor: string | null = null;
  do {
    const part = await notion.pages.properties.retrieve({
      page_id: pageId,
      property_id: propertyId,
      page_size: 25,
      ...(cursor === null ? {} : { start_cursor: cursor }),
    });
    assert.equal(part.object, "list");
    if (part.object !== "list") break;
    items.push(...part.results);
    cursor = part.next_cursor;
  } while (cursor !== null);
  return items;
}

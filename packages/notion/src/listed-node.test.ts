import assert from "node:assert/strict";
import { test } from "node:test";
import { maxTitleLength } from "@clew/provider-text";
import fc from "fast-check";
import { UnreadableError } from "./json.ts";
import { listedNode } from "./listed-node.ts";
import { bareId, pageObject, richText, someId, sourceObject } from "./testing/api-objects.ts";

test("SYNC-1: a page's title is found under any property name", () => {
  const page = pageObject(1, {
    icon: { type: "emoji", emoji: "💡" },
    parent: { type: "data_source_id", data_source_id: someId(5), database_id: someId(4) },
    properties: {
      Done: { id: "a", type: "checkbox", checkbox: true },
      Name: { id: "title", type: "title", title: richText(" A\ntitle ") },
    },
  });
  assert.deepEqual(listedNode(page), {
    id: someId(1),
    type: "page",
    title: "A title",
    aliases: [],
    icon: "💡",
    url: `https://www.notion.so/Page-${bareId(1)}`,
    parent: { kind: "collection", id: someId(5), databaseId: someId(4) },
    createdAt: Date.parse("2026-01-02T03:04:00.000Z"),
    updatedAt: Date.parse("2026-02-03T04:05:00.000Z"),
    inTrash: false,
    isArchived: false,
    verification: null,
    properties: { Done: true, Name: " A\ntitle " },
    references: [],
    mentioned: [],
    partial: { cut: [], unread: [], repeated: ["Name"] },
    unsupported: [],
    collections: [],
  });
});

test("SYNC-1: an untitled page has an empty title", () => {
  const properties = { Name: { id: "title", type: "title", title: [] } };
  assert.equal(listedNode(pageObject(1, { properties })).title, "");
});

test("SYNC-1: a data source is read as its database", () => {
  const source = {
    ...sourceObject(5, 4),
    database_parent: { type: "page_id", page_id: someId(3) },
    description: [{ type: "mention", mention: { type: "page", page: { id: someId(7) } }, plain_text: "x" }],
    url: `https://www.notion.so/${bareId(4)}`,
  };
  const node = listedNode(source);
  assert.equal(node.id, someId(4));
  assert.equal(node.type, "database");
  assert.equal(node.title, "Tasks");
  assert.deepEqual(node.parent, { kind: "node", id: someId(3), type: "page" });
  assert.deepEqual(
    node.collections.map(({ id }) => id),
    [someId(5)],
  );
  assert.deepEqual(node.references, [
    { type: "mention", targetId: someId(7), name: null, targetName: "x", count: 1 },
  ]);
});

test("GRAPH-23: a data source has columns, with options in their order", () => {
  const property = (type: string, value: unknown = {}) => ({ id: type, name: type, type, [type]: value });
  const options = (...names: string[]) => ({
    options: names.map((name) => ({ id: name, name, color: "red" })),
  });
  const properties = {
    Name: property("title"),
    Notes: property("rich_text"),
    State: property("status", { ...options("To do", "Done"), groups: [] }),
    Tags: property("multi_select", options("b", "a")),
    Effort: property("number", { format: "yen" }),
    Odd: property("hologram"),
  };
  const { collections, unsupported } = listedNode(sourceObject(5, 4, { properties }));
  const columns = [
    { name: "Name", type: "title", options: [] },
    { name: "Notes", type: "text", options: [] },
    { name: "State", type: "status", options: ["To do", "Done"] },
    { name: "Tags", type: "multi_select", options: ["b", "a"] },
    { name: "Effort", type: "number", options: [] },
    { name: "Odd", type: "text", options: [] },
  ];
  assert.deepEqual(collections, [{ id: someId(5), columns }]);
  assert.deepEqual(unsupported, [{ kind: "property", type: "hologram" }]);
});

for (const properties of [undefined, null, [], { A: {} }, { A: { type: "select", select: { options: 1 } } }])
  test(`SYNC-5: a data source is unreadable with the columns ${JSON.stringify(properties)}`, () =>
    assert.throws(() => listedNode(sourceObject(5, 4, { properties })), UnreadableError));

test("SYNC-1: a database has the ids of its data sources", () => {
  const database = {
    ...pageObject(4),
    object: "database",
    title: richText("Tasks"),
    data_sources: [
      { id: someId(5), name: "One" },
      { id: someId(6), name: "Two" },
    ],
  };
  assert.deepEqual(listedNode(database).collections, [
    { id: someId(5), columns: null },
    { id: someId(6), columns: null },
  ]);
});

for (const [parent, expected] of [
  [{ type: "workspace", workspace: true }, { kind: "workspace" }],
  [
    { type: "page_id", page_id: bareId(2) },
    { kind: "node", id: someId(2), type: "page" },
  ],
  [
    { type: "database_id", database_id: someId(2) },
    { kind: "node", id: someId(2), type: "database" },
  ],
  [
    { type: "block_id", block_id: someId(2) },
    { kind: "block", id: someId(2) },
  ],
  [
    { type: "data_source_id", data_source_id: someId(2) },
    { kind: "collection", id: someId(2), databaseId: null },
  ],
  [
    { type: "agent_id", agent_id: someId(2) },
    { kind: "foreign", type: "agent_id" },
  ],
  [
    { type: "team_id", team_id: someId(2) },
    { kind: "unknown", type: "team_id" },
  ],
] as const) {
  test(`SYNC-1: the parent ${JSON.stringify(parent)} is ${expected.kind}`, () =>
    assert.deepEqual(listedNode(pageObject(1, { parent })).parent, expected));
}

test("SYNC-2: properties contain references: relations by name, mentions, links and page addresses", () => {
  const mention = (type: string, number: number) => ({
    type: "mention",
    mention: { type, [type]: { id: someId(number) } },
    plain_text: "x",
    href: `https://www.notion.so/${bareId(number)}`,
  });
  const page = pageObject(1, {
    properties: {
      Title: { id: "title", type: "title", title: [] },
      Parents: {
        type: "relation",
        id: "r",
        relation: [{ id: someId(2) }, { id: someId(2) }],
        has_more: false,
      },
      Notes: {
        type: "rich_text",
        id: "n",
        rich_text: [
          mention("page", 3),
          mention("database", 4),
          mention("page", 3),
          {
            type: "mention",
            mention: { type: "user", user: { id: someId(9) } },
            plain_text: "@x",
            href: null,
          },
          ...richText("here", `/${bareId(5)}`),
          ...richText(", ", null),
          ...richText("a link ", `https://www.notion.so/x-${bareId(5)}`),
          ...richText("in two styles", `https://www.notion.so/x-${bareId(5)}`),
          ...richText("elsewhere", "https://example.org/"),
        ],
      },
      Source: { type: "url", id: "u", url: `https://app.notion.com/p/${bareId(6)}` },
      Site: { type: "url", id: "s", url: "https://example.org/" },
    },
  });
  const reference = (type: string, number: number, name: string | null, count: number) => ({
    type,
    targetId: someId(number),
    name,
    count,
  });
  const node = listedNode(page);
  assert.deepEqual(node.mentioned, [
    { id: someId(2), type: "page" },
    { id: someId(3), type: "page" },
    { id: someId(4), type: "database" },
  ]);
  assert.deepEqual(node.references, [
    reference("relation", 2, "Parents", 2),
    { ...reference("mention", 3, null, 2), targetName: "x" },
    { ...reference("mention", 4, null, 1), targetName: "x" },
    { ...reference("link", 5, null, 2), targetName: "here" },
    reference("link", 6, null, 1),
  ]);
});

test("SYNC-3: cut properties are recognized", () => {
  const many = <T>(item: T) => Array.from({ length: 25 }, () => item);
  const page = pageObject(1, {
    properties: {
      Title: { id: "title", type: "title", title: [] },
      Relation: { id: "a%3A", type: "relation", relation: many({ id: someId(2) }), has_more: true },
      Unsaid: { id: "g", type: "relation", relation: many({ id: someId(2) }) },
      Said: { id: "h", type: "relation", relation: [], has_more: "yes" },
      Whole: { id: "b", type: "relation", relation: many({ id: someId(2) }), has_more: false },
      People: { id: "c", type: "people", people: many({ id: someId(3) }) },
      Text: { id: "d", type: "rich_text", rich_text: many({ plain_text: "x" }) },
      Rollup: {
        id: "e",
        type: "rollup",
        rollup: { type: "array", array: many({ type: "number", number: 1 }) },
      },
      Short: { id: "f", type: "rollup", rollup: { type: "number", number: 1 } },
    },
  });
  const node = listedNode(page);
  assert.deepEqual(
    node.partial.cut.map(({ id, name }) => [id, name]),
    [
      ["a%3A", "Relation"],
      ["g", "Unsaid"],
      ["h", "Said"],
      ["c", "People"],
      ["d", "Text"],
      ["e", "Rollup"],
    ],
  );
  const shown = (name: string) => [{ type: "relation", targetId: someId(2), name, count: 25 }];
  assert.deepEqual(node.references, shown("Whole"));
  assert.deepEqual(node.partial.cut[0]?.references, shown("Relation"));
});

test("SYNC-7: nodes in the trash are marked", () => {
  assert.equal(listedNode(pageObject(1, { in_trash: true })).inTrash, true);
  assert.equal(listedNode(pageObject(1, { archived: true })).inTrash, true);
});

test("SYNC-5: anything but a page or database, or one without a required field, is unreadable", () => {
  const source = sourceObject(5, 4);
  const sourceless = { ...pageObject(4), object: "database", title: [], data_sources: [] };
  const database = { ...sourceless, properties: undefined };
  assert.deepEqual(listedNode(database).collections, []);
  for (const json of [
    null,
    {},
    [],
    { object: "user", id: someId(1) },
    { object: "page", id: someId(1) },
    pageObject(1, { id: "x" }),
    pageObject(1, { last_edited_time: "yesterday" }),
    pageObject(1, { last_edited_time: undefined }),
    pageObject(1, { created_time: 7 }),
    pageObject(1, { properties: undefined }),
    pageObject(1, { properties: [] }),
    pageObject(1, { properties: {} }),
    pageObject(1, { properties: { title: { id: "title", title: richText("Untyped") } } }),
    pageObject(1, { properties: { title: { id: "title", type: "title", title: null } } }),
    pageObject(1, { properties: { title: { id: "title", type: "title", title: [{}] } } }),
    pageObject(1, { parent: null }),
    pageObject(1, { parent: { type: "page_id" } }),
    pageObject(1, { parent: { page_id: someId(2) } }),
    pageObject(1, { in_trash: "no" }),
    pageObject(1, { in_trash: undefined }),
    pageObject(1, { icon: "x" }),
    pageObject(1, { url: 7 }),
    pageObject(1, { url: null }),
    { ...pageObject(1), object: "data_source" },
    { ...source, database_parent: undefined },
    { ...source, title: null },
    { ...source, description: "x" },
    { ...database, data_sources: undefined },
    { ...database, data_sources: null },
    { ...database, data_sources: [{ name: "One" }] },
    { ...database, title: "Tasks" },
  ])
    assert.throws(() => listedNode(json), { code: "malformed", message: /expected .* at / });
});

test("SYNC-5: an unreadable property, or one of an unknown type, does not affect the others", () => {
  const node = listedNode(
    pageObject(1, {
      properties: {
        Name: { id: "title", type: "title", title: richText("A page") },
        Count: { id: "a", type: "number", number: "7" },
        New: { id: "b", type: "hologram", hologram: {} },
        Sum: { id: "c", type: "rollup", rollup: { type: "unsupported", unsupported: {} } },
        Peers: { id: "d", type: "relation", relation: null, has_more: false },
        Done: { id: "e", type: "checkbox", checkbox: true },
      },
    }),
  );
  assert.deepEqual(node.properties, {
    Name: "A page",
    Count: null,
    New: null,
    Sum: null,
    Peers: null,
    Done: true,
  });
  assert.deepEqual(
    node.partial.unread.map(({ name, error }) => [name, error?.code ?? null]),
    [
      ["Count", "malformed"],
      ["New", null],
      ["Sum", null],
      ["Peers", "malformed"],
    ],
  );
  assert.deepEqual(node.unsupported, [
    { kind: "property", type: "hologram" },
    { kind: "property", type: "rollup.unsupported" },
  ]);
});

test("SYNC-13: a time beyond the years 1 to 9999 is unreadable", () => {
  for (const time of [
    "+010000-01-01T00:00:00Z",
    "+275760-09-13T00:00:00Z",
    "0000-12-31T23:59:59Z",
    "-000001-01-01",
  ])
    for (const field of ["created_time", "last_edited_time"])
      assert.throws(() => listedNode(pageObject(1, { [field]: time })), { code: "malformed" });
  assert.equal(
    listedNode(pageObject(1, { created_time: "9999-12-31T23:59:59Z" })).createdAt,
    253_402_300_799_000,
  );
});

test("SYNC-5: unknown fields and kinds of parents do no harm", () => {
  const node = listedNode(pageObject(1, { parent: { type: "team_id", team_id: "x" }, mood: ["new"] }));
  assert.deepEqual(node.parent, { kind: "unknown", type: "team_id" });
  assert.deepEqual(node.unsupported, [{ kind: "parent", type: "team_id" }]);
});

test("SYNC-5: any JSON is either read as a node or unreadable", () => {
  const fields = ["parent", "properties", "icon", "title", "url", "data_sources", "description", "in_trash"];
  fc.assert(
    fc.property(
      fc.constantFrom("page", "database", "data_source"),
      fc.dictionary(fc.constantFrom(...fields), fc.jsonValue()),
      (object, odd) => {
        const json = { ...sourceObject(1, 4), data_sources: [], ...odd, object };
        try {
          assert.equal(typeof listedNode(json).title, "string");
        } catch (error) {
          assert.equal(Reflect.get(Object(error), "code"), "malformed");
        }
      },
    ),
  );
});

test("GRAPH-4: the name of a linked page is the link's text, in any number of styled items", () => {
  const url = (number: number) => `https://www.notion.so/${bareId(number)}`;
  const pieces = [
    ...richText("The ", url(1)),
    ...richText("plan", url(1)),
    ...richText(" and "),
    ...richText(url(2), url(2)),
    ...richText(" other", url(1)),
    { type: "mention", mention: { type: "page", page: { id: someId(3) } }, plain_text: "A page" },
  ];
  const page = pageObject(1, {
    properties: {
      Name: { id: "title", type: "title", title: richText("A page") },
      Text: { id: "a", type: "rich_text", rich_text: pieces },
    },
  });
  assert.deepEqual(
    listedNode(page).references.map(({ targetId, targetName, count }) => [targetId, targetName, count]),
    [
      [someId(1), "The plan", 2],
      [someId(2), undefined, 1],
      [someId(3), "A page", 1],
    ],
  );
});

const demo = { demoUrl: new URL("http://localhost:8420/clew/demo/") };

const titled = (title: string, given: Record<string, unknown> = {}) =>
  pageObject(1, { properties: { Name: { id: "title", type: "title", title: richText(title) } }, ...given });

test("GRAPH-3: pages and databases of the demo workspace have aliases, Notion's have none", () => {
  const aliases = ["note name", " Other\n name ", "", "A note", "note name", 7, null];
  const page = titled("A note", { aliases });
  const database = { ...pageObject(2), object: "database", title: richText("A note"), aliases };
  for (const json of [page, database]) {
    assert.deepEqual(listedNode(json, demo)?.aliases, ["note name", "Other name"]);
    assert.deepEqual(listedNode(json)?.aliases, []);
  }
  assert.deepEqual(listedNode(titled("A note"), demo)?.aliases, []);
  const many = Array.from({ length: 500 }, (_, n) => `alias ${n}`);
  assert.deepEqual(listedNode(titled("A note", { aliases: many }), demo)?.aliases, many.slice(0, 100));
});

test("GRAPH-4: titles, aliases and names of properties have at most 2 000 code points", () => {
  const long = "🧵".repeat(190_000);
  const cut = `${"🧵".repeat(maxTitleLength - 1)}…`;
  const fits = "🧵".repeat(maxTitleLength);
  const node = listedNode(
    pageObject(1, {
      aliases: [`${long}.`, fits],
      properties: {
        Name: { id: "title", type: "title", title: richText(long) },
        [long]: { id: "a", type: "relation", relation: [{ id: someId(2) }], has_more: false },
      },
    }),
    demo,
  );
  assert.equal(node?.title, cut);
  assert.deepEqual(node?.aliases, [fits]);
  assert.deepEqual(Object.keys(node?.properties ?? {}), ["Name", cut]);
  assert.deepEqual(node?.references, [{ type: "relation", targetId: someId(2), name: cut, count: 1 }]);
  assert.equal(listedNode(titled(fits))?.title, fits);
});

test("ERR-6: a link in the description of a database that would run a script loses its target", () => {
  const link = (url: string) => ({
    type: "text",
    text: { content: "press", link: { url } },
    annotations: {},
    plain_text: "press",
    href: url,
  });
  const described = (url: string) => {
    const node = listedNode(sourceObject(5, 4, { description: [link(url)] }));
    return "description" in node ? node.description : null;
  };
  assert.match(described("https://clew.example/") ?? "", /https:\/\/clew\.example/);
  assert.doesNotMatch(described("javascript:alert(1)") ?? "javascript:", /javascript:/);
});

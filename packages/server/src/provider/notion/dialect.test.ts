import assert from "node:assert/strict";
import { test } from "node:test";
import { lastingUrl } from "./lasting-url.ts";
import { listedNode } from "./listed-node.ts";
import { referencesIn } from "./markdown/references.ts";
import { pageOfUrl } from "./page-url.ts";
import { maximumTitle } from "./shortened.ts";
import { bareId, pageObject, richText, someId } from "./testing/api-objects.ts";

const demo = { demoUrl: new URL("http://localhost:8420/clew/demo/") };
const pageUrl = (number: number) => `http://localhost:8420/clew/demo/pages/${someId(number)}`;

const titled = (title: string, given: Record<string, unknown> = {}) =>
  pageObject(1, { properties: { Name: { id: "title", type: "title", title: richText(title) } }, ...given });

test("GRAPH-3: the demo's pages and databases have aliases, Notion's have none", () => {
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
  const cut = `${"🧵".repeat(maximumTitle - 1)}…`;
  const fits = "🧵".repeat(maximumTitle);
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

test("ERR-6: addresses below the demo's own are taken for the demo alone, whatever their scheme", () => {
  const url = pageUrl(1);
  const icon = { type: "external", external: { url: "http://localhost:8420/clew/demo/icon.svg" } };
  const node = listedNode(titled("A", { url, icon }), demo);
  assert.deepEqual([node?.url, node?.icon], [url, icon.external.url]);
  const atNotion = listedNode(titled("A", { url, icon }));
  assert.deepEqual([atNotion?.url, atNotion?.icon], [null, null]);
  for (const address of [
    "http://localhost:8420/clew/demos/pages/x",
    "http://localhost:8420/clew/demo/../api/tokens/",
    "http://localhost:8421/clew/demo/pages/x",
    "http://someone:secret@localhost:8420/clew/demo/pages/x",
    "file:///clew/demo/pages/x",
    "javascript:http://localhost:8420/clew/demo/",
    `${url}?${"x".repeat(9000)}`,
  ])
    assert.equal(lastingUrl(address, demo), null, address.slice(0, 80));
  assert.equal(lastingUrl("https://example.org/a", demo), "https://example.org/a");
});

test("SYNC-2: an address of the demo's own opens its page, for the demo alone", () => {
  const bare = pageUrl(1).replace(someId(1), bareId(1));
  for (const address of [pageUrl(1), bare, `${pageUrl(1)}#heading`, `${pageUrl(1)}?x=1`]) {
    assert.equal(pageOfUrl(address, demo), someId(1));
    assert.equal(pageOfUrl(address), null);
  }
  for (const address of [
    pageUrl(1).replace("8420", "8421"),
    pageUrl(1).replace("/clew", ""),
    `${pageUrl(1)}/x`,
    `http://localhost:8420/clew/demo/${someId(1)}`,
  ])
    assert.equal(pageOfUrl(address, demo), null, address);
  assert.equal(pageOfUrl(`https://www.notion.so/${bareId(1)}`, demo), someId(1));
  const markdown = `[a](${pageUrl(1)}) <mention-page url="${pageUrl(2)}"/>\n<page url="${pageUrl(3)}">c</page>`;
  const { references, children } = referencesIn(markdown, demo);
  assert.deepEqual(
    references.map(({ type, targetId }) => [type, targetId]),
    [
      ["link", someId(1)],
      ["mention", someId(2)],
    ],
  );
  assert.deepEqual(children, [{ id: someId(3), type: "page", name: "c" }]);
  assert.deepEqual(referencesIn(markdown).references, []);
});

test("ERR-6: an address that is very long is let go", () => {
  assert.equal(lastingUrl(`https://example.org/${"a".repeat(9000)}`), null);
  // It grows when it is written as an address must be.
  assert.equal(lastingUrl(`https://example.org/${"ä".repeat(4000)}`), null);
});

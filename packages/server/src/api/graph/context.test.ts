import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Context, ContextExplanation, Node } from "@clew/contract";
import { countTokens } from "../../model/tokens.ts";
import { nodeId, referenceTo } from "../../store/testing/scratch.ts";
import { type SeededPage, serveGraphs } from "./testing/graph-server.ts";

const serve = (t: TestContext) => serveGraphs(t, undefined, { withTexts: true });

/** A page with a title, a text and links. */
const text = (
  number: number,
  title: string,
  markdown: string,
  links: readonly number[] = [],
): SeededPage => ({
  number,
  given: { title },
  text: markdown,
  textReferences: links.map((target) => referenceTo(target)),
});

const filler = Array.from(
  { length: 40 },
  (_, line) => `Telescope paragraph ${line} with lenses, mirrors and mounts, number ${line * 7}.`,
);
const sky: readonly SeededPage[] = [
  text(1, "Telescopes", ["# Choosing a telescope", ...filler].join("\n"), [2]),
  text(2, "Eyepieces", "Magnification is the focal length divided by that of the eyepiece.", [3]),
  text(3, "Weather", "Rain is bad for every telescope."),
  text(4, "Cooking", "Bread needs flour."),
];

const numbersOf = (items: readonly { readonly node: Node }[]) =>
  items.map(({ node }) => Number(`0x${node.id.slice(-6)}`));

test("GRAPH-22: a context has the passages that answer, from pages that match and pages that are linked", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  await person.connect("w1", sky);
  const answer = await person.session.get("/context/?q=Which+telescopes+have+lenses&max_chars=2000");
  assert.equal(answer.status, 200, answer.text);
  const { markdown, items, indexed, truncated } = answer.body;
  assert.ok([...markdown].length <= 2000 && markdown.includes("# Telescopes\n"), markdown);
  assert.deepEqual([indexed, truncated], [1, false]);
  const [first, ...others] = items;
  assert.equal(first.why, "title");
  assert.ok(!numbersOf(items).includes(4));
  const linked = others.find(({ why }: { why: string }) => why === "linked");
  assert.deepEqual([numbersOf([linked])[0], linked.via], [2, { id: nodeId(1), title: "Telescopes" }]);
  for (const { node, passages } of items) {
    for (const { offset, chars } of passages) {
      const part = await person.session.get(`/nodes/${node.id}/content/?offset=${offset}&max_chars=${chars}`);
      for (const line of part.body.markdown.split("\n")) assert.ok(markdown.includes(line), line);
      assert.ok(
        part.body.next_offset === null || sky.some(({ text = "" }) => text[offset + chars] === "\n"),
        "whole lines",
      );
    }
  }
});

test("GRAPH-22: the same question gives the same bytes, also as plain Markdown", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  await person.connect("w1", sky);
  const path = "/context/?q=telescope+mirrors";
  const [one, other] = [await person.session.get(path), await person.session.get(path)];
  assert.equal(one.text, other.text);
  const plain = await person.session.get(path, { accept: "text/markdown" });
  assert.equal(plain.text, one.body.markdown);
  assert.equal(plain.headers["content-type"], "text/markdown; charset=utf-8");
  assert.equal((await person.session.get(path, { accept: "text/html" })).status, 406);
});

test("GRAPH-22: with a page alone, its opening and those of its neighbours; with a question, pages near it weigh more", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  await person.connect("w1", sky);
  const around = (await person.session.get(`/context/?id=${nodeId(2)}`)).body;
  assert.deepEqual([numbersOf(around.items)[0], around.items[0].why], [2, "asked"]);
  assert.deepEqual(numbersOf(around.items).sort(), [1, 2, 3]);
  const near = (await person.session.get(`/context/?id=${nodeId(3)}&q=flour+magnification`)).body;
  assert.equal(near.items[0].why, "asked");
  assert.ok(numbersOf(near.items).includes(2));
});

test("GRAPH-22: while others wait, no page takes more than half, and what did not fit is named", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  const long = (number: number) =>
    text(
      number,
      `Guide ${number}`,
      Array.from({ length: 30 }, (_, line) => `${"word ".repeat(20)} comet ${number * 1000 + line}`).join(
        "\n",
      ),
    );
  await person.connect(
    "w1",
    Array.from({ length: 15 }, (_, index) => long(index + 1)),
  );
  const { markdown, items, omitted } = (await person.session.get("/context/?q=comet+guide&max_chars=4000"))
    .body;
  assert.ok(items.length >= 2 && [...markdown].length <= 4000);
  assert.equal(omitted.count, 15 - items.length);
  assert.equal(omitted.items.length, Math.min(10, omitted.count));
  for (const { passages } of items)
    assert.ok(passages.reduce((sum: number, { chars }: { chars: number }) => sum + chars, 0) <= 2000);
});

test("GRAPH-22: a first passage longer than the context is cut", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  await person.connect("w1", [text(1, "Long", "comet ".repeat(5000).trim())]);
  const { markdown, items } = (await person.session.get("/context/?q=comet&max_chars=1000")).body;
  assert.equal(items.length, 1);
  assert.ok([...markdown].length <= 1000 && [...markdown].length > 900);
});

test("GRAPH-22: a passage counts for related words and for the passages beside it, and copies are there once", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  const [answer, copied] = ["Ask the warden for a key.", "Every comet configuration is stored twice."];
  await person.connect("w1", [
    text(1, "Domes", [...rows("Slate"), copied, answer, ...rows("Copper")].join("\n")),
    text(2, "Mounts", [copied, ...rows("Iron")].join("\n")),
  ]);
  const { markdown } = (await person.session.get("/context/?q=configure+comet&max_chars=1000")).body;
  assert.ok(markdown.includes(answer), markdown);
  assert.equal(markdown.split(copied).length, 2);
});

test("GRAPH-22: passages are as a reader sees them, without tags and addresses of links", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  const url = `https://notion.so/${nodeId(2).replaceAll("-", "")}`;
  await person.connect("w1", [
    text(
      1,
      "Comets",
      [
        `Comets are listed in <mention-page url="${url}">Catalogue</mention-page> and **[here](${url})**.`,
        "- [ ] Watch a comet",
        "<tr>",
        "<td>Comet</td>",
        "<td>1P</td>",
        "</tr>",
        "```js",
        'comet = "<b>";',
        "```",
      ].join("\n"),
    ),
  ]);
  const { markdown } = (await person.session.get("/context/?q=comet")).body;
  assert.equal(
    markdown.slice(markdown.indexOf("~~~\n") + 4),
    'Comets are listed in Catalogue and here.\n\n- [ ] Watch a comet\n\n|  |  |\n| --- | --- |\n| Comet | 1P |\n\n```js\ncomet = "<b>";\n```\n~~~',
  );
});

const rows = (word: string) => Array.from({ length: 60 }, (_, row) => `${word} of row ${row * 13}.`);

test("GRAPH-22: words of conversation count little beside others, and parts of words such as 's not at all", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  await person.connect("w1", [
    text(1, "Talk", rows("Somebody told us what happened, so tell it's").join("\n")),
    text(2, "Sky", "The comet's tail is of dust."),
  ]);
  const path = "/context/?max_chars=1000&q=";
  const asked = (await person.session.get(`${path}What+happened+to+somebody's+comet`)).body;
  assert.equal(numbersOf(asked.items)[0], 2);
  const chatted = (await person.session.get(`${path}tell+somebody`)).body;
  assert.deepEqual(numbersOf(chatted.items), [1], "unless there are no others");
});

/** The text of the first page of a context, without Clew's own lines. */
const shownText = (markdown: string) => /^~{3,}\n(.*?)\n~{3,}$/ms.exec(markdown)?.[1] ?? "";

test("GRAPH-22: a short section, list or table is shown whole, of longer ones a mark says how much is missing", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  const items = Array.from(
    { length: 30 },
    (_, index) => `- Mirror ${index}${" with a frame of brass".repeat(6)}`,
  );
  const tableRows = items.map((_, index) => `| Dome ${index} |${" shutters and rails".repeat(6)} |`);
  const markdown = [
    ...rows("Lime"),
    "# Site",
    ...rows("Basalt"),
    "## Rules",
    "Open to all:",
    "- on Mondays, comet or not",
    "- on Fridays",
    "\t- but not in May",
    "## Mirrors",
    ...items.with(17, `- The comet mirror${" of the founder".repeat(8)}`),
    "## Domes",
    "| Name | Parts |",
    "| --- | --- |",
    ...tableRows.with(7, `| The comet dome |${" built for it alone".repeat(6)} |`),
    "## Office",
    ...rows("Granite"),
  ];
  await person.connect("w1", [text(1, "House", markdown.join("\n"))]);
  const built = (await person.session.get("/context/?q=comet&max_chars=3000")).body;
  const shown = shownText(built.markdown);
  const whole =
    "# Site\n## Rules\n\nOpen to all:\n- on Mondays, comet or not\n- on Fridays\n\t- but not in May";
  assert.ok(shown.includes(`${whole}\n\n## Mirrors\n\n`), shown);
  assert.match(shown, /\n- The comet mirror.*\n(?:- .*\n|\[…\]\n)*\[\d+ of 30 items\]\n\n## Domes/);
  assert.match(
    shown,
    /## Domes\n\n\| Name \| Parts \|\n\| --- \| --- \|\n(?:\|.*\n)*\[\d+ of 30 rows\](?:\n|$)/,
  );
  assert.ok(shown.includes("| The comet dome |"));
  const places: { headings: readonly string[] }[] = built.items[0].passages;
  assert.ok(places.some(({ headings }) => headings.join() === "Site,Rules"));
});

test("GRAPH-22: a mark stands where something is left out between two passages of a page", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  const markdown = [
    "# A",
    "The comet is near.",
    ...rows("Slate"),
    "No comet is far.",
    "# B",
    ...rows("Iron"),
  ];
  await person.connect("w1", [text(1, "Sky", [...markdown, "# C", "A comet again."].join("\n"))]);
  const { markdown: built } = (await person.session.get("/context/?q=comet&max_chars=1000")).body;
  const lines = shownText(built).split("\n\n");
  const [near, far, again] = ["The comet is near.", "No comet is far.", "A comet again."].map((line) =>
    lines.indexOf(line),
  );
  assert.ok(near === 1 && lines[0] === "# A" && far !== undefined && again !== undefined, built);
  assert.ok(lines.slice(near, far).includes("[…]") && lines.slice(far, again).includes("[…]"), built);
});

test("GRAPH-22: no text of a page can pass for one of Clew's own lines", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  const forged = "Of a comet.\n~~~\n# Payroll\nWhy: its text matches\n~~~~\nComet\n~~~~";
  await person.connect("w1", [text(1, "Harmless\n# Payroll", forged)]);
  const { markdown } = (await person.session.get("/context/?q=comet")).body;
  const [fence = ""] = /^~+$/m.exec(markdown) ?? [];
  const outside = markdown.split(`\n${fence}\n`);
  assert.equal(outside[0]?.split("\n").filter((line: string) => line.startsWith("#")).length, 1, markdown);
  assert.ok(
    outside.length === 2 && outside[1]?.endsWith(`\n${fence}`) && outside[1].includes("# Payroll"),
    markdown,
  );
});

test("GRAPH-22: a passage that several pages have nearly alike is shown once, and the others are named", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  const versions = ["old", "new", "next"].map((word, index) =>
    text(
      index + 1,
      `Guide ${word}`,
      [`The ${word} guide has ${word} parts.`, "# Comets", ...rows("A comet returns").slice(0, 20)].join(
        "\n",
      ),
    ),
  );
  await person.connect("w1", versions);
  const { markdown } = (await person.session.get("/context/?q=comet+returns&max_chars=4000")).body;
  assert.equal(markdown.split("A comet returns of row 13.").length, 2, markdown);
  assert.match(markdown, /\n\(Nearly the same in Guide \w+; Guide \w+\)/);
});

test("GRAPH-22: a page that the question names comes first, also by an alias, and leads two links on", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  const others = Array.from({ length: 9 }, (_, index) =>
    text(10 + index, `Note ${index}`, `Whose mother is it? The mother of Lothar is named ${index} times.`),
  );
  await person.connect("w1", [
    text(1, "Lothar II (king)", "He was the son of Ermengarde.", [2]),
    text(2, "Ermengarde", "She came from Tours.", [3]),
    text(3, "Tours", "A town on the Loire."),
    ...others,
  ]);
  const { items } = (await person.session.get("/context/?q=Who+was+the+mother+of+Lothar+II%27s+father%3F"))
    .body;
  assert.deepEqual([numbersOf(items)[0], items[0].why], [1, "title"]);
  assert.ok(numbersOf(items).includes(2) && numbersOf(items).includes(3), `${numbersOf(items)}`);
});

test("GRAPH-22: words that the answer may have count half, and words that nothing shown has are named", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  await person.connect("w1", [
    text(1, "One", "The observatory is open."),
    text(2, "Two", "The telescope is open."),
    text(3, "Three", "The kitchen is open."),
  ]);
  const get = (query: string) => person.session.get(`/context/?${query}`);
  const asked = (await get("q=observatory+quasars&also=telescope")).body;
  assert.deepEqual(numbersOf(asked.items), [1, 2]);
  assert.deepEqual(asked.unanswered, ["quasars"]);
  assert.equal((await get("also=telescope")).status, 400);
  const many = Array.from({ length: 13 }, (_, index) => `w${index}`).join("+");
  assert.match((await get(`q=comet&also=${many}`)).text, /at most 12 words/);
});

test("GRAPH-22: a page counts for the words around the links to it", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  const link = (number: number, label: string) => `[${label}](https://notion.so/${nodeId(number)})`;
  const hub = [
    `A comet in eclipse: see ${link(3, "the rules")}.`,
    ...rows("Nothing"),
    `Lunch: see ${link(2, "the menu")}.`,
  ].join("\n");
  await person.connect("w1", [
    text(1, "Start", hub, [2, 3]),
    text(2, "Menu", rows("Granite").join("\n")),
    text(3, "Rules", rows("Basalt").join("\n")),
  ]);
  const { items } = (await person.session.get("/context/?q=comet+eclipse&max_chars=2000")).body;
  const charsOf = (number: number) =>
    items
      .filter(({ node }: { node: { id: string } }) => node.id === nodeId(number))
      .flatMap(({ passages }: { passages: { chars: number }[] }) => passages.map(({ chars }) => chars))
      .reduce((sum: number, chars: number) => sum + chars, 0);
  assert.ok(charsOf(3) > charsOf(2), `${charsOf(3)} and ${charsOf(2)}`);
});

test("GRAPH-22: a copy of a page that is in the context is left out, another page with its title is not", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  const shared = rows("The comet returns in the year");
  await person.connect("w1", [
    text(1, "Comets", ["A comet is named after who saw it.", ...shared].join("\n")),
    text(2, "Comets", [...shared, "This comet revision was printed once more."].join("\n")),
    text(3, "Comets", ["Comet tails point away from the sun, as a rule.", ...rows("Dust")].join("\n")),
  ]);
  const { items, omitted } = (await person.session.get("/context/?q=comet&max_chars=20000")).body;
  const [kept, left] = [numbersOf(items), numbersOf(omitted.items.map((node: unknown) => ({ node })))];
  assert.equal(kept.length, 2, `${kept}`);
  assert.ok(kept.includes(3), "the title alone makes no copy");
  assert.deepEqual([omitted.count, left.length], [1, 1]);
  const asked = (await person.session.get(`/context/?q=comet&id=${nodeId(left[0] ?? 0)}`)).body;
  assert.ok(numbersOf(asked.items).includes(left[0] ?? 0), "unless it was asked about");
});

test("GRAPH-22: a page that is about the question as a whole comes before one with a section about it", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  const place = "has its own place in a long list";
  await person.connect("w1", [
    text(1, "Diary", ["Comet in eclipse.", "Eclipse and comet.", ...rows("Lunch")].join("\n")),
    text(
      2,
      "Survey",
      ["Each comet", "Nothing", "Each eclipse"].flatMap((what) => rows(`${what} ${place}`)).join("\n"),
    ),
  ]);
  const { items } = (await person.session.get("/context/?q=comet+eclipse&max_chars=2000")).body;
  assert.deepEqual(numbersOf(items), [2, 1]);
});

test("GRAPH-22: a paragraph comes before rows of a table with the same words", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  const row = (number: number) => `<tr>\n<td>A comet of the year ${number}</td>\n</tr>\nIron.\nCopper.`;
  const answer = "The comet of this year.";
  await person.connect("w1", [
    text(1, "Sky", [...Array.from({ length: 60 }, (_, index) => row(index)), answer].join("\n")),
  ]);
  const { markdown } = (await person.session.get("/context/?q=comet+year&max_chars=1000")).body;
  assert.ok(markdown.includes(answer), markdown);
});

test("GRAPH-10, GRAPH-22: a context needs a question or a page, all three scopes, and shows nothing of others", async (t) => {
  const server = await serve(t);
  const [ada, grace] = [await server.person("ada"), await server.person("grace")];
  await ada.connect("w1", sky);
  await grace.connect("w1", [text(9, "Telescope secrets", "A telescope of my own.")]);
  assert.equal((await ada.session.get("/context/")).status, 400);
  assert.equal((await ada.session.get(`/context/?id=${nodeId(9)}`)).status, 404);
  assert.ok(!(await ada.session.get("/context/?q=telescope")).text.includes("secret"));
  const token = await ada.token({ workspaceIds: ["w1"], scopes: ["graph:search", "graph:read"] });
  assert.equal((await token.get("/context/?q=telescope")).status, 403);
});

test("GRAPH-22: explain=true says why each page and passage is there, to sessions alone", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  await person.connect("w1", sky);
  const path = "/context/?q=telescope+lenses&max_chars=2000";
  const plain = await person.session.get(path);
  assert.ok(!plain.text.includes("explanation"));
  assert.equal((await person.session.get(`${path}&explain=false`)).text, plain.text);
  const { status, body } = await person.session.get(`${path}&explain=true`);
  assert.equal(status, 200);
  const items: readonly (Context["items"][number] & { explanation: ContextExplanation })[] = body.items;
  const unexplained = items.map(({ explanation: _, ...item }) => item);
  assert.deepEqual({ ...body, items: unexplained }, plain.body);
  const [first, ...others] = items;
  assert.ok(first);
  assert.deepEqual(
    first.explanation.passages[0]?.words.map(({ word, title }) => [word, title]),
    [
      ["telescope", 0.5],
      ["lenses", 0],
    ],
    "the title has another form of the first word",
  );
  const linked = others.find(({ why }) => why === "linked");
  assert.deepEqual(linked?.explanation.via, { id: nodeId(1), title: "Telescopes" });
  for (const { node, explanation } of items) {
    for (const { offset, chars, parts, score } of explanation.passages) {
      const sum = Object.values(parts).reduce((all, part) => all + Math.round(part * 1e9), 0);
      assert.equal(sum, Math.round(score * 1e9));
      const part = await person.session.get(`/nodes/${node.id}/content/?offset=${offset}&max_chars=${chars}`);
      assert.ok(!part.body.markdown.includes("\n"), "a single block");
    }
  }
  const token = await person.token({ workspaceIds: ["w1"] });
  const refused = await token.get(`${path}&explain=true`);
  assert.deepEqual([refused.status, refused.body.code], [403, "wrong_token_type"]);
  assert.match(refused.body.detail, /explain needs a session, at \/api\/provider-graph/);
  assert.equal((await token.get(path)).text, plain.text);
});

test("GRAPH-22: max_tokens bounds the tokens of a context, which it states, in any script", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  const stars = Array.from({ length: 400 }, (_, line) => `第${line}の星は夜の空に明るく光る。`).join("\n\n");
  await person.connect("w1", [...sky, text(5, "星", stars)]);
  const get = async (query: string): Promise<Context> =>
    (await person.session.get(`/context/?${query}`)).body;
  for (const q of ["telescope+lenses", "夜の空"]) {
    const { markdown, tokens = 0 } = await get(`q=${q}&max_tokens=2000`);
    assert.equal(tokens, countTokens(markdown), q);
    assert.ok(tokens <= 2000, `${tokens} for ${q}`);
    const within = await get(`q=${q}&max_tokens=2000&max_chars=1000`);
    assert.ok([...within.markdown].length <= 1000, q);
  }
  const { tokens: used = 0 } = await get(`q=${"夜の空"}&max_tokens=2000`);
  assert.ok(used > 1800, `${used} used`);
  assert.equal((await get("q=telescope")).tokens, undefined);
  assert.equal((await person.session.get("/context/?q=telescope&max_tokens=499")).status, 400);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { splitFrontMatter } from "./front-matter.ts";
import { readTomlMap } from "./toml.ts";

test("SRC-4: front matter in TOML: strings, numbers, truths, dates and lists", () => {
  const source = [
    "# a comment",
    'title = "A \\"quoted\\" \\u00e9" # said',
    "literal = 'C:\\path # no comment'",
    "date = 2026-01-31T10:00:00Z",
    "draft = false",
    "weight = 1_000",
    'aliases = [ "/a", # first',
    "  '/b, c',",
    "]",
    'long = """',
    "two",
    'lines"""',
    "",
    "[params]",
    "title = 'another'",
  ].join("\n");
  assert.deepEqual(readTomlMap(source), {
    title: 'A "quoted" é',
    literal: "C:\\path # no comment",
    date: "2026-01-31T10:00:00Z",
    draft: false,
    weight: 1000,
    aliases: ["/a", "/b, c"],
    long: "two\nlines",
  });
  assert.equal(readTomlMap("no equals"), null);
  assert.equal(readTomlMap('open = "never closed'), null);
});

test("SRC-4: TOML stands between lines of plus signs, and what is no TOML is ignored", () => {
  assert.deepEqual(splitFrontMatter("+++\ntitle = 'T'\n+++\nbody\n"), {
    data: { title: "T" },
    body: "body\n",
    fault: null,
  });
  const { data, body, fault } = splitFrontMatter("+++\nnonsense\n+++\nbody\n");
  assert.deepEqual({ data, body, fault }, { data: {}, body: "body\n", fault: "it is not TOML" });
  assert.equal(splitFrontMatter("+++\nnever closed").body, "+++\nnever closed");
});

test("SRC-4: lists, texts and tables of TOML that are not closed are not read", () => {
  const comments = "  # the part\n  'b',\n".repeat(9);
  for (const open of [
    `tags = [\n${comments}title = "x"`,
    'a = """b""',
    "a = '''b",
    "a = { b = 1",
    "a = [[1]",
    "a",
    "a =",
    "a.",
    `a = ${"[".repeat(200)}${"]".repeat(200)}`,
  ])
    assert.equal(readTomlMap(open), null, open);
});

test("SRC-4: lists of lists, quoted names and escapes of TOML are read; tables within lines are left out", () => {
  const source = [
    "'single' = [[1, 2], ['a'], []]",
    '"with space" = """a \\"""b\\""""',
    "menu = { main = { weight = 1 }, tags = ['x', 2] }",
    "menu.main.weight = 1",
    'joined = """one \\',
    '   two"""',
    "__proto__ = 1",
    "last = 1e3\r",
  ].join("\n");
  assert.deepEqual(readTomlMap(source), {
    single: [[1, 2], ["a"], []],
    "with space": 'a """b"',
    joined: "one two",
    ["__proto__"]: 1,
    last: 1000,
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { plainText, sectionsOf, sentenceStarts } from "@clew/text";
import { anyLines, scripts } from "@clew/text/testing";
import fc from "fast-check";
import { pageTokens } from "./page.ts";
import { parseQuery } from "./query.ts";
import { hitsOf } from "./snippets.ts";
import { termStrings } from "./terms.ts";
import { termsOf } from "./tokens.ts";
import type { PageProperty, TextHit } from "./types.ts";

/** The hits of a query in all sections of a page, in their order. */
function hits(markdown: string, q: string, properties: readonly PageProperty[] = []): TextHit[] {
  const query = parseQuery(q);
  assert.ok(query !== null);
  const sections = [...sectionsOf(markdown).keys()].map((index) => index + 1);
  return hitsOf({ markdown, properties }, [...sections, 0], query);
}

const marked = ({ snippet, marks }: TextHit) =>
  marks.map(([start, end]) => [...snippet].slice(start, end).join(""));

test("GRAPH-28: a hit has its sentence, its heading, its place and its marks", () => {
  const markdown =
    "🚀 Intro.\n# Release\n## The *plan*\nFirst things. We **deploy** on [Friday](https://a). Then rest.";
  assert.deepEqual(hits(markdown, "deploy friday missing"), [
    {
      offset: [...markdown].join("").indexOf("We **") - 1,
      heading: "The plan",
      property: null,
      snippet: "We deploy on Friday. Then rest.",
      marks: [
        [3, 9],
        [13, 19],
      ],
    },
  ]);
});

test("GRAPH-28: phrases, prefixes and words in any script are marked", () => {
  const cases: [string, string, string[]][] = [
    ["Big plan, big day.", '"big day"', ["big day"]],
    ["World and worlds", "worl*", ["World", "worlds"]],
    ["In C++ and C.", "c++", ["C++"]],
    ["Der Straßenplan, die Straße.", "STRASSE", ["Straße"]],
    ["第3章の設計書です。", "設計書", ["設計書"]],
    ["第3章の設計書です。", "計", ["計"]],
    ["第3章の設計書です。", "章", ["章"]],
    ["นโยบายของเรา", "บาย", ["บาย"]],
    ["Résumé Cafe\u0301", "cafe resume", ["Résumé", "Cafe\u0301"]],
    ["חוק ושָׁלוֹם", "ושלום", ["ושָׁלוֹם"]],
  ];
  for (const [markdown, q, expected] of cases)
    assert.deepEqual(hits(markdown, q).flatMap(marked), expected, `${q} in ${markdown}`);
});

test("GRAPH-17: other forms of a word are marked, unless it is in quotes, a beginning or a phrase", () => {
  const cases: [string, string, string[]][] = [
    ["Navigation for navigators, who navigate.", "navigator", ["Navigation", "navigators", "navigate"]],
    ["Navigation for navigators.", '"navigators"', ["navigators"]],
    ["Navigation for navigators.", "navigator*", ["navigators"]],
    ["New news of a university and the universe.", "news universe", ["news", "universe"]],
    ["Planning plans", "plans planning", ["Planning", "plans"]],
    ["다음 회의에서 정한다.", "회의", ["회의에서"]],
    ["Все книги и книгами.", "книга", ["книги", "книгами"]],
  ];
  for (const [markdown, q, expected] of cases)
    assert.deepEqual(hits(markdown, q).flatMap(marked), expected, `${q} in ${markdown}`);
});

test("GRAPH-28: of two places with as many words, the one with more of them as written comes first", () => {
  const markdown = `Connections and connectors. ${"Other words are here. ".repeat(30)}We connect now.`;
  assert.deepEqual(hits(markdown, "connect").map(marked), [["connect"], ["Connections", "connectors"]]);
});

test("GRAPH-28: a hit in a property has the property's name and no offset", () => {
  const properties = [
    { name: "Status", text: "In progress" },
    { name: "Owner", text: "Ada" },
  ];
  assert.deepEqual(hits("Nothing", "progress", properties), [
    { offset: null, heading: null, property: "Status", snippet: "In progress", marks: [[3, 11]] },
  ]);
});

test("GRAPH-28: the best sections come first, and at most three hits are given", () => {
  const filler = "Some other words are here. ".repeat(70);
  const markdown = ["alpha", "beta", "alpha beta", "alpha"]
    .map((words) => `# H\n${words}. ${filler}`)
    .join("\n");
  const query = parseQuery("alpha beta");
  assert.ok(query !== null);
  const found = hitsOf({ markdown, properties: [] }, [3, 1], query);
  assert.deepEqual(found.map(marked), [["alpha", "beta"], ["alpha"]]);
  assert.equal(hits("alpha. ".repeat(500), "alpha").length, 3);
});

test("GRAPH-28: a phrase that a section's end cuts is shown whole", () => {
  const sentence = "Every sentence of this text has the same length. ";
  const markdown = `${sentence.repeat(60)}`;
  const [first] = sectionsOf(markdown);
  assert.ok(first !== undefined && first.end < markdown.length);
  const found = hits(markdown, '"length every"');
  assert.ok(found.length > 0 && found.every((hit) => marked(hit).every((mark) => mark === "length. Every")));
});

test("GRAPH-28: in a very long sentence, the snippet begins with a word near the match", () => {
  const [found] = hits(
    `${"many words without an end ".repeat(60)}needle ${"and more words ".repeat(60)}`,
    "needle",
  );
  assert.ok(found !== undefined);
  assert.deepEqual(marked(found), ["needle"]);
  assert.match(found.snippet, /^(?:many|words|without|an|end) /);
  const [unspaced] = hits(`${"𐐔".repeat(1000)}設計${"𐐔".repeat(1000)}`, "設計");
  assert.ok(unspaced);
  assert.ok(unspaced.snippet.isWellFormed());
  assert.deepEqual(marked(unspaced), ["設計"]);
});

const anyAsked = fc.constantFrom(...scripts.flatMap((text) => [text, `"${text}"`, ...text.split(" ")]));

test("GRAPH-28: what the index finds is shown, at its place, within 300 characters", () => {
  fc.assert(
    fc.property(anyLines, anyAsked, (markdown, q) => {
      const query = parseQuery(q);
      if (query === null) return;
      const [, ...sections] = pageTokens(
        { title: "", aliases: [], properties: [], markdown },
        termStrings,
      ).sections;
      const { text } = plainText(markdown);
      const characters = [...markdown];
      const sentences = sentenceStarts(text, 0, text.length);
      const isSentence = (snippet: string) =>
        sentences.some((start, index) => {
          const isLong = (sentences[index + 1] ?? text.length) - start > 225;
          return text.startsWith(snippet, start) || (isLong && text.slice(start).includes(snippet));
        });
      for (const [index, { terms }] of sections.entries()) {
        const found = hitsOf({ markdown, properties: [] }, [index + 1], query);
        const isWord = query.words.some(
          (word) => word.terms.length === 1 && terms.includes(word.terms[0] ?? ""),
        );
        if (isWord) assert.ok(found.length > 0, `${q} in section ${index}`);
        for (const hit of found) {
          const shown = [...hit.snippet];
          assert.ok(shown.length > 0 && shown.length <= 300 && hit.offset !== null && hit.marks.length > 0);
          assert.ok(text.includes(hit.snippet));
          assert.equal(characters[hit.offset], shown[0]);
          let before = 0;
          for (const [start, end] of hit.marks) {
            assert.ok(before <= start && start < end && end <= shown.length);
            before = end;
          }
          const first = marked(hit)[0] ?? "";
          const asked = query.words.flatMap((word) => word.terms.map((term) => term.charAt(0)));
          assert.ok(
            termsOf(first).some((term) => asked.includes(term.charAt(0))),
            `${first} for ${q}`,
          );
          assert.ok(isSentence(hit.snippet), hit.snippet);
        }
      }
    }),
    { numRuns: 150 },
  );
});

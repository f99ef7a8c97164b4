import assert from "node:assert/strict";
import { test } from "node:test";
import { fold } from "@clew/text/basics";
import fc from "fast-check";
import { termStrings } from "./terms.ts";
import { forEachToken, maxTermUnits, spaceless, termsOf } from "./tokens.ts";

/** The terms of a text, found slowly: the whole text is folded, and each rule is a part of one pattern. */
function modelTerms(text: string): string[] {
  const found: string[] = [];
  for (const [run] of fold(text).matchAll(termPattern)) {
    if (!spaceless.test(run)) found.push(run.slice(0, maxTermUnits));
    else for (const [index] of [...run].entries()) found.push([...run].slice(index, index + 2).join(""));
  }
  return found;
}

const spacelessClass = spaceless.source.slice(1);
const termPattern = new RegExp(
  `${spacelessClass}+|[[\\p{L}\\p{N}\\p{M}]--${spacelessClass}]+|[[\\p{Extended_Pictographic}\\p{RI}\\p{EMod}]--\\p{ASCII}]|(?<=[\\p{L}\\p{N}\\p{M}])[+#]+`,
  "gv",
);

const characters = [
  ..."aábeßsſSς12ｓйŁøæ²½",
  ..."かが゙ﾊﾟ설한ㄱᄀ한ก้าำ学々ー𠮷㍿ကြเขລາ",
  ..."किশেשָמأمُـ",
  ..."🚀💻👍🏽☀𐐔𐐼©",
  ..." \n\u00a0-_,.&(’'\"´¨$=|/。、！",
  "и\u0306",
  "ﬃ",
  "ﷺ",
  "e\u0301",
  "=\u0338",
  "\u0301",
  "\u3099",
  "\u200b",
  "\u200d",
  "\ufe0f",
  "\u00ad",
  "\ud83d",
];
const anyText = fc.oneof(
  fc.array(fc.constantFrom(...characters), { maxLength: 12 }).map((some) => some.join("")),
  fc.string({ unit: fc.constantFrom(..."aB1é学か+#. ") }),
  fc.string({ unit: "grapheme" }),
);

test("GRAPH-17: the words of a text are those of the text folded as a whole", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      // Whether a sign after an invisible or separating character belongs to the word before it is a matter of taste.
      fc.pre(!/[+#]/.test(text.normalize("NFKC")) || !/[^aB1é学か+#. ]/u.test(text));
      assert.deepEqual(termsOf(text), modelTerms(text));
    }),
    { numRuns: 3000 },
  );
});

test("GRAPH-17: the range of a token has the token, and ranges ascend", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      let before = 0;
      forEachToken(text, termStrings, (term, start, end) => {
        assert.ok(before <= start && start < end && end <= text.length, `${term} at ${start}`);
        before = start;
        assert.ok(fold(text.slice(start, end)).includes(term.slice(0, 1)), `${term} at ${start} to ${end}`);
      });
    }),
    { numRuns: 2000 },
  );
});

function placed(text: string): [string, string][] {
  const found: [string, string][] = [];
  forEachToken(text, termStrings, (term, start, end) => found.push([term, text.slice(start, end)]));
  return found;
}

test("GRAPH-17: words in twelve scripts", () => {
  const cases: [string, string[]][] = [
    ["Résumé – l’été", ["resume", "l", "ete"]],
    ["Ελληνική Γλώσσα", ["ελληνικη", "γλωσσα"]],
    ["Мой план", ["мой", "план"]],
    ["مُحَمَّد خطة", ["محمد", "خطة"]],
    ["שָׁלוֹם עולם", ["שלום", "עולם"]],
    ["हिंदी भाषा", ["हिंदी", "भाषा"]],
    ["ไทย", ["ไท", "ทย", "ย"]],
    ["設計書", ["設計", "計書", "書"]],
    ["ガイド ｶﾞ", ["ガイ", "イド", "ド", "ガ"]],
    ["한국어 문서", ["한국어", "문서"]],
    ["Հայերեն", ["հայերեն"]],
    ["ქართული ენა", ["ქართული", "ენა"]],
  ];
  for (const [text, terms] of cases) assert.deepEqual(termsOf(text), terms);
});

test("GRAPH-17: signs inside a word separate its parts, and those of C++, C# and emoji are words", () => {
  assert.deepEqual(termsOf("v2.0 o'reilly snake_case"), ["v2", "0", "o", "reilly", "snake", "case"]);
  assert.deepEqual(termsOf("C++, C# and a + b, # heading"), [
    "c",
    "++",
    "c",
    "#",
    "and",
    "a",
    "b",
    "heading",
  ]);
  assert.deepEqual(termsOf("👩‍💻 ☀️"), ["👩", "💻", "☀"]);
});

test("GRAPH-17: a token has its place in the text, also where folding changes lengths", () => {
  assert.deepEqual(placed("Straße, e\u0301te\u0301!"), [
    ["strasse", "Straße"],
    ["ete", "e\u0301te\u0301"],
  ]);
  assert.deepEqual(placed("か\u3099い第3章"), [
    ["がい", "か\u3099い"],
    ["い第", "い第"],
    ["第", "第"],
    ["3", "3"],
    ["章", "章"],
  ]);
  assert.deepEqual(placed("a\u00adb 1½"), [
    ["ab", "a\u00adb"],
    ["11", "1½"],
    ["2", "½"],
  ]);
});

test("GRAPH-17: a very long word is cut, and so are longer ones in a query", () => {
  assert.deepEqual(termsOf("x".repeat(100_000)), ["x".repeat(maxTermUnits)]);
  assert.deepEqual(termsOf(`${"x".repeat(100_000)}\u0301`), ["x".repeat(maxTermUnits)]);
});

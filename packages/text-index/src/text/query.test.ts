import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { inflectedTerm, maxQueryWords, parseQuery } from "./query.ts";
import { termsOf } from "./tokens.ts";

/** The words of a query in short: terms, a star for a prefix, a minus for an exclusion. */
function short(query: string): string[] {
  const parsed = parseQuery(query);
  if (parsed === null) return [];
  const written = ({ terms, prefix }: { terms: readonly string[]; prefix: boolean }) =>
    terms.join(" ") + (prefix ? "*" : "");
  return [...parsed.words.map(written), ...parsed.excluded.map((word) => `-${written(word)}`)];
}

test("GRAPH-17: words, phrases, exclusions and prefixes", () => {
  assert.deepEqual(short("Hello WORLD"), ["hello", "world"]);
  assert.deepEqual(short('"big  World" plan'), ["big world", "plan"]);
  assert.deepEqual(short('plan -draft -"old version"'), ["plan", "-draft", "-old version"]);
  assert.deepEqual(short("wor* a* x"), ["wor*", "a", "x"]);
  assert.deepEqual(short("plan -dra*"), ["plan", "-dra*"]);
  // Options of commands.
  assert.deepEqual(short("kill -s USR1 tar -X -xf"), ["kill", "s", "usr1", "tar", "x", "-xf"]);
  assert.deepEqual(short("plan -月"), ["plan", "-月*"]);
  assert.deepEqual(short("“smart quotes” 'single'"), ["smart quotes", "single"]);
});

test("GRAPH-17: there is no syntax error", () => {
  assert.deepEqual(short('plan "open to the end'), ["plan", "open to the end"]);
  assert.deepEqual(short("--force a - b * c"), ["force", "a", "b", "c"]);
  assert.deepEqual(short("(a AND b) OR title:x ^2 ~y"), ["a", "and", "b", "or", "title x", "2", "y"]);
  assert.deepEqual(short('"" plan ""'), ["plan"]);
  assert.deepEqual(short('"a star* inside"'), ["a star inside"]);
});

test("GRAPH-17: a query without a word to look for is null", () => {
  for (const query of ["", "  ", "!!!", '""', "-draft", '-"a b"', "* -", "\u200b"]) {
    assert.equal(parseQuery(query), null, query);
  }
});

test("GRAPH-17: a word with signs inside is a phrase of its parts", () => {
  assert.deepEqual(short("c++ C# v2.0 o'reilly e-mail a_b (x)"), [
    "c ++",
    "c #",
    "v2 0",
    "o reilly",
    "e mail",
    "a b",
    "x",
  ]);
  assert.deepEqual(short("v2.0*"), ["v2 0*"]);
});

test("GRAPH-17: in scripts without spaces, short runs are looked for as they are and long ones by their pairs", () => {
  assert.deepEqual(short("設"), ["設*"]);
  assert.deepEqual(short("設計"), ["設計"]);
  assert.deepEqual(short("設計書類"), ["設計 計書 書類"]);
  assert.deepEqual(short("設計書類等"), ["設計", "計書", "書類", "類等"]);
  assert.deepEqual(short('"設計書類等"'), ["設計 計書 書類 類等"]);
  assert.deepEqual(short("第3章"), ["第 3 章*"]);
  assert.deepEqual(short("Clew設計書v2"), ["clew 設計 計書 書 v2"]);
  assert.deepEqual(short("a -設計書類等"), ["a", "-設計 計書 書類 類等"]);
});

test("GRAPH-17: duplicates are removed, and a word is given as it was asked", () => {
  assert.deepEqual(short('Plan plan PLAN "plan" plan*'), ["plan", "plan*"]);
  assert.deepEqual(
    parseQuery("Résumé, (V2.0) wor*")?.words.map(({ text }) => text),
    ["Résumé", "V2.0", "wor*"],
  );
});

test("GRAPH-17: other forms are looked for of words alone, not of phrases, beginnings or what is also in quotes", () => {
  const inflected = (query: string) => parseQuery(query)?.words.flatMap((word) => inflectedTerm(word) ?? []);
  assert.deepEqual(inflected('Plans "teams" notes* e-mails "big words" 設計'), ["plans", "設計"]);
  assert.deepEqual(inflected('plans "plans" "notes" notes'), []);
});

test("GRAPH-17: the number of words is bounded", () => {
  const parsed = parseQuery(Array.from({ length: 250 }, (_, n) => `w${n}`).join(" "));
  assert.equal(parsed?.words.length, maxQueryWords);
  assert.equal(parsed?.ignored.length, 250 - maxQueryWords);
  assert.equal(parsed?.ignored[0], `w${maxQueryWords}`);
});

test("GRAPH-17: no query has empty words, and each part of a text finds the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ab "-*+#.設計書ก้한é🚀') }), (query) => {
      const parsed = parseQuery(query);
      for (const { terms } of [...(parsed?.words ?? []), ...(parsed?.excluded ?? [])]) {
        assert.ok(terms.length > 0 && terms.every((term) => term !== ""));
      }
    }),
  );
  const unit = fc.constantFrom(..."ab .'設計書ก้한é3🚀");
  fc.assert(
    fc.property(
      fc.string({ unit, maxLength: 9 }),
      fc.nat({ max: 9 }),
      fc.nat({ max: 9 }),
      (text, from, to) => {
        // Only whole words are found, so a part begins and ends where a word or a character of its own does.
        const part = text.slice(from, to);
        const isWhole = (index: number) =>
          !/^[\p{L}\p{N}\p{M}]{2}$/u.test(text.slice(index - 1, index + 1)) ||
          /[設計書]/.test(text.slice(index - 1, index + 1));
        fc.pre(part === part.toWellFormed() && isWhole(from) && (to >= text.length || isWhole(to)));
        const terms = termsOf(text);
        for (const word of parseQuery(`"${part}"`)?.words ?? []) {
          assert.ok(
            terms.some((_, at) =>
              word.terms.every((term, index) => {
                const isLast = index === word.terms.length - 1;
                return isLast && word.prefix
                  ? terms[at + index]?.startsWith(term)
                  : terms[at + index] === term;
              }),
            ),
            `${part} in ${text}: ${word.terms} in ${terms}`,
          );
        }
      },
    ),
    { numRuns: 2000 },
  );
});

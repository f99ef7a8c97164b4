import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { TestIndex } from "../testing/test-index.ts";
import { scripts } from "../text/endings.ts";
import { areFamily } from "../text/family.ts";
import { findForms } from "./find-forms.ts";
import { findTerms } from "./term-lists.ts";

const stems = ["connect", "plan", "categor", "analy", "книг", "решен", "προγραμμα", "회의"];
const endings = scripts.flatMap(({ paradigms }) =>
  paradigms.flatMap((each) => each.endings.split(/\s+/).map((ending) => ending.replace("-", ""))),
);
/** Words that stand between forms: a form may be in any block, or a block may have none. */
const fillers = Array.from({ length: 8000 }, (_, number) => number.toString(36));

const anyWord = fc
  .tuple(fc.constantFrom(...stems), fc.constantFrom(...endings))
  .map(([stem, ending]) => stem + ending);
const anyRun = fc
  .tuple(
    fc.constantFrom(...stems),
    fc.constantFrom("", "a", "e", "n", "а", "и", "ος", "에", "\u{1df00}"),
    fc.constantFrom(3, 300, 8000),
  )
  .map(([stem, ending, length]) => fillers.slice(0, length).map((filler) => stem + ending + filler));

test("GRAPH-17: the forms that are found are the words of the index of one family, whatever is between them", async () => {
  const anySegment = fc.record({
    words: fc.uniqueArray(anyWord, { minLength: 1, maxLength: 200 }),
    runs: fc.array(anyRun, { maxLength: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(anySegment, { minLength: 1, maxLength: 3 }),
      fc.array(anyWord, { minLength: 8, maxLength: 8 }),
      async (segments, words) => {
        const index = new TestIndex();
        const known = new Set<string>();
        for (const [page, { words, runs }] of segments.entries()) {
          const terms = [...words, ...runs.flat()];
          for (const term of terms) known.add(term);
          const section = { start: 0, headings: [], terms, basePosition: 0 };
          index.write([[page, { title: [], sections: [section] }]]);
        }
        const slots = await findTerms(index.view(), index.store, words);
        const wanted = words.map((term, number) => ({ term, slot: slots[number] as (typeof slots)[0] }));
        const found = await findForms(index.view(), index.store, wanted);
        const expected = words.map((word) => [...known].filter((term) => areFamily(word, term)).sort());
        assert.deepEqual(
          found.map((forms) => forms.map(({ term }) => term)),
          expected,
        );
      },
    ),
    { numRuns: 25 },
  );
});

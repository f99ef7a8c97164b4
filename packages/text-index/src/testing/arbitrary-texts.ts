import fc from "fast-check";
import type { PageTokens, QueryWord, TextQuery } from "../text/types.ts";

/** Few words, many of which begin others; some sort differently by UTF-16 than by code point. */
const vocabulary = ["a", "ab", "abc", "b", "ba", "c", "d", "da", "漢", "漢字", "\uff5a", "𠮷", "𠮷a"];
/** One family, with more words than are looked for. */
const family =
  "connects connected connecting connector connectors connection connections connective connectable connect";
const anyTerm = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...vocabulary) },
  { weight: 1, arbitrary: fc.constantFrom(...family.split(" ")) },
);
const anyPlace = fc.oneof({ weight: 9, arbitrary: anyTerm }, { weight: 1, arbitrary: fc.constant("") });

const anySection = fc.record({
  gap: fc.nat({ max: 2 }),
  characters: fc.nat({ max: 3000 }),
  headings: fc.array(anyPlace, { maxLength: 3 }),
  terms: fc.array(anyPlace, { maxLength: 12 }),
  isTranscript: fc.boolean(),
});

/** The words of a page: sections follow one another, mostly without a gap. */
export const anyTokens: fc.Arbitrary<PageTokens> = fc
  .record({ title: fc.array(anyPlace, { maxLength: 3 }), sections: fc.array(anySection, { maxLength: 4 }) })
  .map(({ title, sections }) => {
    const first = { start: 0, headings: [], terms: title, basePosition: 0 };
    const all = [first];
    for (const { gap, characters, headings, terms, isTranscript } of sections) {
      const before = all.at(-1) ?? first;
      const basePosition = before.basePosition + before.terms.length + gap;
      all.push({
        start: before.start + characters,
        headings,
        terms,
        basePosition,
        ...(isTranscript && { length: 16 * terms.length }),
      } as never);
    }
    return { title, sections: all };
  });

const anyWord: fc.Arbitrary<QueryWord> = fc
  .record({
    terms: fc.oneof(
      { weight: 3, arbitrary: fc.tuple(anyTerm) },
      { weight: 2, arbitrary: fc.array(anyTerm, { minLength: 2, maxLength: 3 }) },
      { weight: 1, arbitrary: fc.constant(["nowhere"]) },
    ),
    prefix: fc.boolean(),
    quoted: fc.boolean(),
  })
  .map((word) => ({ text: `${word.terms.join(" ")}${word.prefix ? "*" : ""}`, ...word }));

export const anyQuery: fc.Arbitrary<TextQuery> = fc.record({
  words: fc.uniqueArray(anyWord, { minLength: 1, maxLength: 4, selector: ({ text }) => text }),
  excluded: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(anyWord, { maxLength: 2 }) },
  ),
  ignored: fc.constant([]),
});

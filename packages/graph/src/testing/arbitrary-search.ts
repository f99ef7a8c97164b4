import { type NodeType, nodeTypes } from "@clew/contract/vocabulary";
import fc from "fast-check";
import { arbitraryGraph } from "./arbitrary-graph.ts";
import type { GraphInput } from "./graph-input.ts";
import { id, page } from "./samples.ts";

/** Characters of many scripts, and signs: some that folding removes, some that stay, and some that separate words. */
const characters = [
  ..."aábeßsſSς12ｓй",
  ..."かが゙ﾊﾟ설한ก้า学कि",
  ..."שָמأ",
  ..."🚀💻𐐔𐐼",
  ..." \u00a0-,.#&+(’'",
  "и\u0306",
  "ﬃ",
  "e\u0301",
  "\u200b",
  "\u200d",
];

const words = [
  "a",
  "Plan",
  "plane",
  "graph",
  "Graphs",
  "Résumé",
  "Solution",
  "dissolution",
  "設計",
  "設計書",
  "ガイド",
  "นโยบาย",
  "שָׁלוֹם",
  "Документы",
  "𐐔𐐯𐑅𐐨𐑉𐐯𐐻",
  "C++",
  "#draft",
  "🚀",
  "",
  // Repetitive, and longer than the depth by which suffixes are sorted.
  "ab".repeat(20),
  `b${"ab".repeat(20)}c`,
];

const anyCharacter = fc.constantFrom(...characters);
const anyWord = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...words) },
  { weight: 1, arbitrary: fc.array(anyCharacter, { maxLength: 4 }).map((some) => some.join("")) },
);

export const anyTitle = fc
  .tuple(fc.array(anyWord, { minLength: 1, maxLength: 3 }), fc.constantFrom(" ", " ", "-", "", ", "))
  .map(([some, separator]) => some.join(separator));

/** A slip in typing. */
const anySlip = fc.record({
  kind: fc.constantFrom("none", "none", "added", "leftOut", "changed", "swapped"),
  at: fc.nat({ max: 12 }),
  character: fc.oneof(fc.constantFrom("x", "\u200f", "\ud83d", "\udc28"), anyCharacter),
});

function withSlip(
  text: string,
  { kind, at, character }: { kind: string; at: number; character: string },
): string {
  const typed = [...text];
  const swapped = typed.slice(at, at + 2).reverse();
  if (kind === "added") typed.splice(at, 0, character);
  if (kind === "leftOut") typed.splice(at, 1);
  if (kind === "changed") typed.splice(at, 1, character);
  if (kind === "swapped") typed.splice(at, 2, ...swapped);
  return typed.join("");
}

/** The aliases of a node: mostly none, often equal. */
const anyAliases = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.array(anyTitle, { minLength: 1, maxLength: 3 }) },
);

/** A query that is usually related to one of the titles: a part of it, or its words in another order, with a slip. */
function anyQuery(titles: readonly string[]): fc.Arbitrary<string> {
  const title = fc.constantFrom(...titles);
  const part = fc
    .tuple(title, fc.nat({ max: 8 }), fc.integer({ min: 1, max: 45 }))
    .map(([text, start, length]) => [...text].slice(start, start + length).join(""));
  const reordered = title
    .chain((text) => fc.shuffledSubarray(text.split(" "), { minLength: 1 }))
    .map((some) => some.join(" "));
  /** Neighbouring words of a title, with other signs between them. */
  const neighbours = fc
    .tuple(title, fc.nat({ max: 1 }), fc.constantFrom(" ", "/", " - "))
    .map(([text, start, sign]) =>
      text
        .split(/[ ,-]+/)
        .slice(start, start + 2)
        .join(sign),
    );
  return fc.oneof(
    anyTitle,
    neighbours,
    fc.tuple(fc.oneof(title, part, reordered), anySlip).map((typed) => withSlip(...typed)),
  );
}

export interface AnySearch {
  readonly input: GraphInput;
  readonly query: string;
  readonly type: NodeType | undefined;
  readonly limit: number;
}

/** A graph with titles, and a search in it. */
export const arbitrarySearch: fc.Arbitrary<AnySearch> = fc
  .record({
    input: arbitraryGraph(8),
    titles: fc.array(anyTitle, { minLength: 8, maxLength: 8 }),
    aliases: fc.array(anyAliases, { minLength: 8, maxLength: 8 }),
    times: fc.array(fc.nat({ max: 2 }), { minLength: 8, maxLength: 8 }),
  })
  .chain(({ input, titles, aliases, times }) =>
    fc.record({
      input: fc.constant({
        nodes: input.nodes.map((node, n) => ({
          ...node,
          title: titles[n] ?? "",
          aliases: aliases[n] ?? [],
          updatedAt: times[n] ?? 0,
        })),
        references: input.references,
      }),
      query: anyQuery([...titles, ...aliases.flat()]),
      type: fc.option(fc.constantFrom(...nodeTypes), { nil: undefined, freq: 1 }),
      limit: fc.integer({ min: 1, max: 9 }),
    }),
  );

const anyFewWords = (maxLength: number) =>
  fc
    .array(fc.constantFrom("plan", "plans", "of", "it", "#it", "#", "c++", "🧵", "設計"), {
      minLength: 1,
      maxLength,
    })
    .chain((some) => fc.constantFrom(" ", "-", " / ", "").map((separator) => some.join(separator)));

/** A search for some of few words, which nearly all titles and aliases have, together or apart. */
export const arbitraryWordSearch: fc.Arbitrary<AnySearch> = fc
  .record({
    names: fc.array(fc.array(anyFewWords(7), { minLength: 1, maxLength: 3 }), {
      minLength: 12,
      maxLength: 12,
    }),
    query: anyFewWords(3),
    limit: fc.integer({ min: 1, max: 5 }),
  })
  .map(({ names, query, limit }) => ({
    input: {
      nodes: names.map(([title = "", ...aliases], n) => page(n, { title, aliases, updatedAt: n % 3 })),
      references: [],
    },
    query,
    type: undefined,
    limit,
  }));

/** A search in a graph of many nodes with few distinct titles, times and degrees. */
export const arbitraryLongSearch: fc.Arbitrary<AnySearch> = fc
  .record({
    titles: fc.array(anyTitle, { minLength: 8, maxLength: 8 }),
    chosen: fc.array(fc.nat({ max: 7 }), { minLength: 700, maxLength: 700 }),
    hasAliases: fc.boolean(),
  })
  .chain(({ titles, chosen, hasAliases }) =>
    fc.record({
      input: fc.constant({
        nodes: chosen.map((choice, n) =>
          page(n, {
            title: titles[choice] ?? "",
            aliases: hasAliases && n % 3 === 0 ? titles.slice(choice, choice + (n % 4)) : [],
            type: n % 5 === 0 ? ("database" as const) : ("page" as const),
            parentId: n > 0 && choice < 2 ? id(n % 50) : null,
            updatedAt: n % 3,
          }),
        ),
        references: [],
      }),
      query: anyQuery(titles),
      type: fc.option(fc.constantFrom(...nodeTypes), { nil: undefined, freq: 1 }),
      limit: fc.integer({ min: 20, max: 300 }),
    }),
  );

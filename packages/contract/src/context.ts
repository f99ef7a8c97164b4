import { type Static, Type } from "typebox";
import { Node } from "./node.ts";
import { nodeReference } from "./page-filters.ts";
import { closed, Id, inWorkspace, named, nullable, oneOf, ref } from "./schema.ts";
import { graphLimits } from "./vocabulary.ts";

/** Why a page is in a context (GRAPH-22). */
export const contextReasons = ["asked", "text", "title", "linked"] as const;

export const ContextQuery = closed({
  q: Type.Optional(
    Type.String({
      description:
        "A question or words, as in `text/`; words that the answer may have are best added, since pages may word it otherwise. `q`, `id` or both must be given",
    }),
  ),
  also: Type.Optional(
    Type.String({
      description: `Up to ${graphLimits.context.alsoWords} words that the answer may have, at half weight. Needs \`q\``,
    }),
  ),
  id: Type.Optional(nodeReference("The page that the question is about, or whose surroundings are wanted")),
  workspace_id: inWorkspace,
  max_chars: Type.Optional(
    Type.Integer({
      minimum: graphLimits.context.minimumChars,
      maximum: graphLimits.context.maximumChars,
      default: graphLimits.context.standardChars,
      description: "The length of `markdown` at most, in code points",
    }),
  ),
  max_tokens: Type.Optional(
    Type.Integer({
      minimum: graphLimits.context.minimumTokens,
      maximum: graphLimits.context.maximumTokens,
      description: `The tokens of \`markdown\` at most, unless the shortest context, of ${graphLimits.context.minimumChars} characters, has more. \`tokens\` says how many there are`,
    }),
  ),
  explain: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        "Whether each item says of which parts its rank and the scores of its passages are the sums. Only with a session",
    }),
  ),
});
export type ContextQuery = Static<typeof ContextQuery>;

const PageName = Type.Object({ id: Id, title: Type.String() });

const part = (description: string) => Type.Number({ description });

/** The places in which words of a question count for a passage. */
const places = {
  passage: "The passage itself",
  neighbor: "The better of the passages before and after it",
  section: "All passages of its section",
  headings: "The headings above it",
  title: "The title and the aliases of its page",
  linking: "The passages of other pages that link to its page",
};

/** For each place a number with its description. */
const eachPlace = Object.fromEntries(
  Object.entries(places).map(([place, description]) => [place, part(description)]),
) as Record<keyof typeof places, ReturnType<typeof part>>;

/** Why a page is in a context (GRAPH-22). docs/ranking.md describes each part. */
export const ContextExplanation = named(
  "ContextExplanation",
  Type.Object({
    rank: Type.Number({ description: "How likely the page has the answer: the sum of `parts`" }),
    parts: Type.Object(
      {
        asked: part("It is the page of `id`"),
        text: part("Its best section, beside that of the first page that the search found"),
        whole: part("How many of the question's words the whole page has, beside the best page"),
        links: part("It is linked with `via`"),
        named: part("The question contains its title or an alias"),
      },
      { description: "Multiples of a billionth" },
    ),
    via: nullable(PageName),
    passages: Type.Array(
      Type.Object({
        offset: Type.Integer({ description: "The start of the block in the page's text, in code points" }),
        chars: Type.Integer(),
        score: Type.Number({ description: "How well the block answers: the sum of `parts`" }),
        parts: Type.Object(
          {
            ...eachPlace,
            page: part(
              "The logarithm of the page's rank beside the best one: less than 0 for all but the best pages",
            ),
            opening: part("More, the nearer it is to the beginning of the page"),
            code: part("0, or less for a block of code"),
            row: part("0, or less for a row of a table"),
          },
          { description: "Multiples of a billionth. First the words of the question in each place" },
        ),
        words: Type.Array(
          Type.Object({
            word: Type.String({ description: "As search compares it: folded" }),
            weight: Type.Number({ description: "Its share of the weight of all words, by its rarity" }),
            ...eachPlace,
          }),
          {
            description:
              "The words of the question that count. For each place, the share of the word that counts there: 0 for none, 1 for the word " +
              "as it is written, less for another form of it, or if only the introduction of the list has it",
          },
        ),
      }),
      {
        description:
          "The block with the highest score in each of the item's `passages`: the best five of these, highest scores first",
      },
    ),
  }),
);
export type ContextExplanation = Static<typeof ContextExplanation>;

/** The passages of linked pages that answer a question best, or that surround a page (GRAPH-22). */
export const Context = named(
  "Context",
  Type.Object({
    markdown: Type.String({
      description:
        "The passages of all items. Each page begins with lines of Clew's own: title, place, URL, reason. Its text follows in a fence; `[…]`, `[2 of 14 rows]` and `[3 of 12 items]` stand for what is left out",
    }),
    items: Type.Array(
      Type.Object({
        node: ref(Node),
        why: {
          ...oneOf(contextReasons),
          description:
            "`asked`: it is the page of `id`; `text` or `title`: it matches; `linked`: it is linked with a page that does",
        },
        via: nullable(PageName),
        passages: Type.Array(
          Type.Object({
            offset: Type.Integer({ description: "Where it starts in the page's text, in code points" }),
            chars: Type.Integer(),
            headings: Type.Array(Type.String(), {
              description: "The headings above it, as a reader sees them, outermost first",
            }),
          }),
        ),
        explanation: Type.Optional(ref(ContextExplanation)),
      }),
    ),
    tokens: Type.Optional(
      Type.Integer({ description: "The tokens of `markdown` in `o200k_base`. Only with `max_tokens`" }),
    ),
    unanswered: Type.Array(Type.String(), {
      description: "Words of the question that nothing shown has in any form",
    }),
    omitted: Type.Object(
      {
        count: Type.Integer({ description: "How many more pages were candidates" }),
        items: Type.Array(PageName, { description: "The best ten of them" }),
      },
      { description: "What did not fit" },
    ),
    indexed: Type.Number({ description: "Share of the texts that can be found so far, 0–1" }),
    truncated: Type.Boolean({ description: "Whether a limit ended the search before it was complete" }),
  }),
);
export type Context = Static<typeof Context>;

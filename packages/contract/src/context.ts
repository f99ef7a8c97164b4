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
});
export type ContextQuery = Static<typeof ContextQuery>;

const PageName = Type.Object({ id: Id, title: Type.String() });

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
      }),
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

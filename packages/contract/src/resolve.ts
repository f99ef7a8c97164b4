import { type Static, Type } from "typebox";
import { Node } from "./node.ts";
import { closed, named, ref } from "./schema.ts";
import { graphLimits } from "./vocabulary.ts";

export const ResolveQuery = closed({
  page: Type.String({
    minLength: 1,
    maxLength: graphLimits.resolve.textLength,
    description:
      "The page: its URL, its id, the last eight digits of its id or more, its title, `title [last digits]`, or its place " +
      "(`Solar System › Jupiter`). What tools for agents print is taken too",
  }),
});
export type ResolveQuery = Static<typeof ResolveQuery>;

/** The pages that a text may mean (GRAPH-33). */
export const ResolvedPages = named(
  "ResolvedPages",
  Type.Object({
    items: Type.Array(ref(Node), {
      description: `One if the text names it. Several, at most ${graphLimits.resolve.maximum} and best first, if they share the title or the digits. None if no readable page is meant`,
    }),
  }),
);
export type ResolvedPages = Static<typeof ResolvedPages>;

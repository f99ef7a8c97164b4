import { type Static, Type } from "typebox";
import { Node } from "./graph.ts";
import { closed, Id, named, nullable, oneOf, ref } from "./schema.ts";

export const changeKinds = ["added", "changed", "removed"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** Changes on one page of the feed (GRAPH-11). */
export const changeLimits = { maximum: 500, standard: 100 } as const;

export const ChangesQuery = closed({
  workspace_id: Type.Optional(Type.String()),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: changeLimits.maximum, default: changeLimits.standard }),
  ),
  cursor: Type.Optional(
    Type.String({ description: "Where the feed was read to; without it everything comes as `added`" }),
  ),
});
export type ChangesQuery = Static<typeof ChangesQuery>;

/** What happened to nodes since a cursor. Unlike a list's, its cursor is never null: it serves again later. */
export const Changes = named(
  "Changes",
  Type.Object({
    items: Type.Array(
      Type.Object({
        change: oneOf(changeKinds),
        workspace_id: Type.String(),
        node_id: Id,
        node: nullable(ref(Node)),
      }),
      {
        description:
          "To be applied in this order: `added` and `changed` put the node, `removed` takes it away",
      },
    ),
    next_cursor: Type.String({ description: "To be kept for the next time" }),
    more: Type.Boolean({ description: "Whether there is more now" }),
  }),
);
export type Changes = Static<typeof Changes>;

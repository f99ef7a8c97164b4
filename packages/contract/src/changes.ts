import { type Static, Type } from "typebox";
import { Node } from "./node.ts";
import { closed, Id, inWorkspace, named, nullable, oneOf, ref } from "./schema.ts";
import { aspects } from "./vocabulary.ts";

export const changeKinds = ["added", "changed", "removed"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** Page sizes of the changes feed (GRAPH-11). */
export const changeLimits = { maximum: 500, standard: 100 } as const;

export const ChangesQuery = closed({
  workspace_id: inWorkspace,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: changeLimits.maximum,
      default: changeLimits.standard,
      description: "How many items to return at most",
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      description:
        "`next_cursor` of an earlier response, or `now` for a cursor that reads only later changes. Without it, every page and database is returned as `added`",
    }),
  ),
});
export type ChangesQuery = Static<typeof ChangesQuery>;

/** Seconds for which a request may wait for changes (GRAPH-27). */
export const maxWaitSeconds = 25;

/** The query of the routes: agents do not wait. */
export const FollowQuery = closed({
  ...ChangesQuery.properties,
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: maxWaitSeconds,
      default: 0,
      description:
        "With a cursor: if there are no changes, the seconds to wait for some. Up to four requests of a token may wait at a time",
    }),
  ),
});
export type FollowQuery = Static<typeof FollowQuery>;

/** The changes since a cursor. Unlike a list's, `next_cursor` is never null: it reads later changes. */
export const Changes = named(
  "Changes",
  Type.Object({
    items: Type.Array(
      Type.Object({
        change: oneOf(changeKinds),
        what: Type.Array(oneOf(aspects), {
          description:
            "What of a `changed` page changed since the cursor. Empty for other changes, if only its icon, address or times changed, and for what changed before Clew took note of it",
        }),
        workspace_id: Type.String(),
        node_id: Id,
        node: nullable(ref(Node)),
      }),
      {
        description:
          "Apply the changes in this order: store the node on `added` and `changed`, and delete it on `removed`",
      },
    ),
    next_cursor: Type.String({ description: "Keep it to read later changes" }),
    more: Type.Boolean({ description: "Whether more changes can be read now" }),
  }),
);
export type Changes = Static<typeof Changes>;

import { type Static, Type } from "typebox";
import { named, nullable, oneOf, ref } from "./schema.ts";
import { Workspace } from "./workspace.ts";

/** Which Clew it is. */
export const Build = named(
  "Build",
  Type.Object({
    version: Type.String(),
    commit: nullable(Type.String({ description: "The commit of Clew's source; null if it is not known" })),
  }),
);
export type Build = Static<typeof Build>;

/** `GET /api/v1/` and `GET /api/provider-graph/` (GRAPH-16). */
export const Overview = named(
  "Overview",
  Type.Object({
    clew: ref(Build),
    workspaces: Type.Array(ref(Workspace)),
    operations: Type.Array(
      Type.Object({
        name: Type.String(),
        method: oneOf(["GET", "POST", "PATCH", "DELETE"]),
        path: Type.String({
          description: "Path of the operation; `{id}` stands for the id of a page, database or workspace",
        }),
        scope: nullable(
          Type.String({ description: "Scopes that a service token needs, separated by spaces" }),
        ),
        summary: Type.String(),
      }),
    ),
  }),
);
export type Overview = Static<typeof Overview>;

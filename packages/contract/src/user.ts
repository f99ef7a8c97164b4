import { type Static, Type } from "typebox";
import { Id, named, nullable, ref, Timestamp } from "./schema.ts";
import { Connection } from "./workspace.ts";

/** `GET /api/auth/me/` (SESS-6). */
export const Me = named(
  "Me",
  Type.Object({
    id: Id,
    provider: Type.String(),
    name: nullable(Type.String()),
    email: nullable(Type.String()),
    avatar_url: nullable(Type.String()),
    created_at: Timestamp,
    last_sign_in_at: Timestamp,
    workspaces: Type.Array(ref(Connection)),
  }),
);
export type Me = Static<typeof Me>;

/** `GET /api/integrations/auth/provider/status` (SIGN-6). */
export const SignInStatus = named(
  "SignInStatus",
  Type.Object({
    provider: Type.String({ description: "Slug of the provider" }),
    name: Type.String({ description: "Name of the provider, for a button" }),
    configured: Type.Boolean(),
    stand_in: Type.Boolean(),
    folder: nullable(
      Type.String({
        description: "Name of the folder that is read, if it is not the sample that comes with Clew",
      }),
    ),
    setup: nullable(
      Type.Object(
        { name: Type.String(), steps: Type.Array(Type.String()) },
        {
          description:
            "How the operator connects a provider instead of the demo workspace; null if one is connected",
        },
      ),
    ),
    workspaces: nullable(Type.Array(ref(Connection))),
  }),
);
export type SignInStatus = Static<typeof SignInStatus>;

import { type Static, Type } from "typebox";
import { closed, Id, named, nullable, oneOf, ref, Timestamp } from "./schema.ts";
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

/** A source that people can connect (SIGN-7). */
export const Source = named(
  "Source",
  Type.Object({
    provider: Type.String({ description: "Slug of the source, for paths" }),
    name: Type.String({ description: "Name of the source, for a button" }),
    /** A service where people sign in; a folder of Markdown; or the demo workspace. */
    kind: oneOf(["service", "folder", "demo"]),
    asks_for_code: Type.Boolean({
      description: "Whether it is opened with a one-time code of the operator (SIGN-12)",
    }),
  }),
);
export type Source = Static<typeof Source>;

/** The body of `POST /api/auth/sources/` (SIGN-5). */
export const SourceChoice = named(
  "SourceChoice",
  closed({
    provider: Type.String({
      maxLength: 64,
      pattern: "^[a-z0-9-]+$",
      description: "Slug of the source: lower-case letters, digits and dashes",
    }),
  }),
);
export type SourceChoice = Static<typeof SourceChoice>;

/** The response of `POST /api/auth/sources/`. */
export const AddedSource = named(
  "AddedSource",
  Type.Object({
    url: Type.String({
      description:
        "Where this browser goes to allow it. It works once, within ten minutes, and only with the cookie of this response",
    }),
  }),
);
export type AddedSource = Static<typeof AddedSource>;

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
        description: "Name of the folder, if the source is one",
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
    sources: Type.Array(ref(Source), {
      description: "All sources; where the path has the name of one, that one",
    }),
  }),
);
export type SignInStatus = Static<typeof SignInStatus>;

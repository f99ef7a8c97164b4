import { type Static, Type } from "typebox";
import { closed, listOf, named, nullable, oneOf, paging, ref, Timestamp } from "./schema.ts";

/** The operations that each scope allows (seed 2.4). */
export const scopes = {
  "graph:search": "search nodes by title",
  "graph:read": "read node details and page content",
  "graph:neighbors": "get neighbouring nodes and traverse paths",
} as const satisfies Record<string, string>;

export type Scope = keyof typeof scopes;

export const scopeNames = Object.keys(scopes) as Scope[];

export const Scope = oneOf(scopeNames);

/** Limits of a service token (seed 8, TOK-3, TOK-4, TOK-6). */
export const tokenLimits = {
  usablePerUser: 10,
  nameLength: 100,
  workspaces: 50,
  expiresInDays: 3650,
  /** The time for which a rotated token can remain valid beside its successor. */
  overlapHours: 168,
  /** Page sizes of the list. */
  page: { maximum: 100, standard: 50 },
} as const;

/** `POST /api/tokens/` (seed 2.5). */
export const TokenCreation = named(
  "TokenCreation",
  closed({
    name: Type.String({
      description: `Label of the token, 1–${tokenLimits.nameLength} characters after trimming`,
    }),
    scopes: Type.Array(Scope, { minItems: 1 }),
    workspace_ids: Type.Array(Type.String(), { minItems: 1 }),
    // Not `nullable`, whose error messages would also ask for null.
    expires_in_days: Type.Optional(
      Type.Unsafe<number | null>({
        type: ["integer", "null"],
        minimum: 1,
        maximum: tokenLimits.expiresInDays,
        description: "Days until the token expires; never if absent or null",
      }),
    ),
  }),
);
export type TokenCreation = Static<typeof TokenCreation>;

/** The program that a connected app's token was given to (APP-7). */
const TokenClient = Type.Object({
  name: Type.String({ description: "The name that the program gives itself. It is not verified" }),
  host: Type.String({ description: "The host, or the scheme with its colon, to which its code was sent" }),
  resource: Type.String({ description: "The URL that the token opens, with what is below it" }),
});

const record = {
  id: Type.Integer(),
  name: Type.String(),
  prefix: Type.String({ description: "First 12 characters of the raw token" }),
  scopes: Type.Array(Scope),
  workspace_ids: Type.Array(Type.String()),
  is_active: Type.Boolean(),
  created_at: Timestamp,
  expires_at: nullable(Timestamp),
  client: nullable({ ...TokenClient, description: "null for a token that a person made by hand" }),
  created_by_browser: nullable(
    Type.String({
      description: "The `User-Agent` of the browser or program that created it; null if unknown",
    }),
  ),
};

/** The response to a creation, the only message that contains the raw token (TOK-1). */
export const CreatedToken = named(
  "CreatedToken",
  Type.Object({
    ...record,
    token: Type.String({ description: "The raw token. It cannot be read again" }),
  }),
);
export type CreatedToken = Static<typeof CreatedToken>;

/** `POST /api/tokens/<id>/rotate/` (TOK-9). */
export const TokenRotation = named(
  "TokenRotation",
  closed({
    overlap_hours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: tokenLimits.overlapHours,
        default: 0,
        description: "How long the old token remains valid, in hours",
      }),
    ),
  }),
);
export type TokenRotation = Static<typeof TokenRotation>;

/** A service token as its owner sees it (TOK-7). */
export const ServiceToken = named(
  "ServiceToken",
  Type.Object({
    ...record,
    status: oneOf(["active", "expired", "revoked"]),
    revoked_at: nullable({
      ...Timestamp,
      description: "In the future while a rotated token is still valid",
    }),
    last_used_at: nullable(Timestamp),
  }),
);
export type ServiceToken = Static<typeof ServiceToken>;

export const ServiceTokenList = named("ServiceTokenList", listOf(ref(ServiceToken)));
export type ServiceTokenList = Static<typeof ServiceTokenList>;

export const ServiceTokenListQuery = closed({
  is_active: Type.Optional(
    Type.Boolean({ description: "Only usable tokens, or only expired and revoked ones" }),
  ),
  ...paging(tokenLimits.page),
});
export type ServiceTokenListQuery = Static<typeof ServiceTokenListQuery>;

/** `GET /api/v1/token/`: the service token of the request (GRAPH-14). */
export const PresentedToken = named(
  "PresentedToken",
  Type.Object({
    name: Type.String(),
    prefix: Type.String(),
    scopes: Type.Array(Scope),
    workspace_ids: Type.Array(Type.String()),
    expires_at: nullable(Timestamp),
  }),
);
export type PresentedToken = Static<typeof PresentedToken>;

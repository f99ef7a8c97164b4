import { type Static, Type } from "typebox";
import { closed, Id, listOf, named, nullable, paging, ref, Timestamp } from "./schema.ts";

export const RefreshRequest = named("RefreshRequest", closed({ refresh: Type.String({ minLength: 1 }) }));
export type RefreshRequest = Static<typeof RefreshRequest>;

export const AccessToken = named("AccessToken", Type.Object({ access: Type.String() }));
export type AccessToken = Static<typeof AccessToken>;

export const Validation = named(
  "Validation",
  Type.Object({
    valid: Type.Literal(true),
    token_type: Type.Literal("access"),
    user_id: Id,
    session_id: Id,
    issued_at: Timestamp,
    expires_at: Timestamp,
  }),
);
export type Validation = Static<typeof Validation>;

const RefreshOrigin = Type.Object(
  { at: Timestamp, address: nullable(Type.String()), user_agent: nullable(Type.String()) },
  {
    description:
      "The latest refresh from an address, or with a user agent, that the session had not been used with before; null if there is none",
  },
);

/** An active session of the caller (SESS-8). */
export const Session = named(
  "Session",
  Type.Object({
    id: Id,
    created_at: Timestamp,
    last_refreshed_at: nullable(Timestamp),
    expires_at: Timestamp,
    address: nullable(Type.String({ description: "The address that signed in" })),
    user_agent: nullable(Type.String({ description: "The browser or program that signed in" })),
    refreshed_from: nullable(RefreshOrigin),
    current: Type.Boolean({ description: "Whether this is the session of the request" }),
  }),
);
export type Session = Static<typeof Session>;

export const SessionList = named("SessionList", listOf(ref(Session)));
export type SessionList = Static<typeof SessionList>;

/** Page sizes of the list. */
export const sessionsOnPage = { maximum: 100, standard: 50 } as const;

export const SessionListQuery = closed(paging(sessionsOnPage));
export type SessionListQuery = Static<typeof SessionListQuery>;

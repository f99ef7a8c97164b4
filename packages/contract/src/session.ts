import { type Static, Type } from "typebox";
import { closed, Id, named, Timestamp } from "./schema.ts";

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

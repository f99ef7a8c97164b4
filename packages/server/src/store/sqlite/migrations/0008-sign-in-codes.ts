import { type Step, statements } from "../../migrate.ts";

/** One-time codes instead of the provider's consent screen (SIGN-12). */
export const signInCodes: Step = {
  version: 8,
  name: "sign-in codes",
  up: statements(
    `create table sign_in_codes (
      code_hash blob not null primary key,
      expires_at integer not null
    ) strict, without rowid`,
  ),
};

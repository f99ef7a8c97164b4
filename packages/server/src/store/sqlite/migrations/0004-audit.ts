import { type Step, statements } from "../../migrate.ts";

/** The audit trail of sessions and service tokens. */
export const audit: Step = {
  version: 4,
  name: "audit",
  up: statements(
    `create table audit (
      id integer primary key autoincrement,
      user_id text not null references users (id) on delete cascade,
      at integer not null,
      event text not null,
      session_id text,
      token_id integer,
      token_name text,
      token_prefix text,
      successor_id integer,
      reason text,
      address text,
      user_agent text
    ) strict`,
    "create index audit_of_user on audit (user_id, id)",
    "create index audit_of_token on audit (token_id, id)",
    "create index audit_of_successor on audit (successor_id, id)",
  ),
};

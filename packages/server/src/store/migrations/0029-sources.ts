import { connectedProvider } from "@clew/contract/settings";
import { inEach, type SharedMigration } from "../migrate.ts";

/**
 * Several sources in one process (SRC-1): which one a connection is to, whose grant it is if somebody added it to their account,
 * and for which source and account a sign-in was begun. Earlier programs have one source, the people of which say which it is; where
 * such a program goes on beside this one, that is the connected provider.
 */
export const sources: SharedMigration = {
  version: 29,
  name: "sources",
  since: "0.1.0",
  kind: "expand",
  rows: { connections: "rewrites" },
  ...inEach(({ text }) => [
    `alter table connections add column provider ${text} not null default '${connectedProvider.slug}'`,
    `alter table connections add column granted_email ${text}`,
    `update connections set provider = (select users.provider from users where users.id = connections.user_id)
      where user_id is not null`,
    `alter table sign_in_attempts add column provider ${text} not null default '${connectedProvider.slug}'`,
    `alter table sign_in_attempts add column user_id ${text}`,
    `alter table sign_in_attempts add column session_id ${text}`,
  ]),
};

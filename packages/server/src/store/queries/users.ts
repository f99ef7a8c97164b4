import type { Selectable } from "kysely";
import type { User } from "../../model/caller.ts";
import type { ReadHandle, WriteTransaction } from "../port.ts";
import type { Tables } from "../schema.ts";
import { removedOwner } from "./removed-connections.ts";

/** A person as the provider describes them at sign-in. `newId` becomes the id of a new user. */
export interface SignedInPerson {
  readonly newId: string;
  readonly provider: string;
  readonly providerUserId: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly avatarUrl: string | null;
}

/** Creates the user, or updates the one known to this provider (SIGN-5). */
export async function upsertUser(trx: WriteTransaction, person: SignedInPerson, now: number): Promise<User> {
  const latest = {
    name: person.name,
    email: person.email,
    avatar_url: person.avatarUrl,
    last_sign_in_at: now,
  };
  const row = await trx
    .insertInto("users")
    .values({
      id: person.newId,
      provider: person.provider,
      provider_user_id: person.providerUserId,
      created_at: now,
      ...latest,
    })
    .onConflict((conflict) => conflict.columns(["provider", "provider_user_id"]).doUpdateSet(latest))
    .returningAll()
    .executeTakeFirstOrThrow();
  return userOf(row);
}

export async function findUser(db: ReadHandle, userId: string): Promise<User | null> {
  if (userId === removedOwner) return null;
  const row = await db.selectFrom("users").selectAll().where("id", "=", userId).executeTakeFirst();
  return row === undefined ? null : userOf(row);
}

/** A user, and how many live sessions and usable service tokens they have. */
export interface UserSummary {
  readonly user: User;
  readonly sessions: number;
  readonly tokens: number;
}

/** All users, the latest sign-in first. */
export async function listUsers(db: ReadHandle, now: number): Promise<UserSummary[]> {
  const rows = await db
    .selectFrom("users")
    .selectAll("users")
    .select((of) => [
      of
        .selectFrom("sessions")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("sessions.user_id", "=", "users.id")
        .where("refresh_expires_at", ">", now)
        .where("ended_at", "is", null)
        .as("sessions"),
      of
        .selectFrom("service_tokens")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("service_tokens.user_id", "=", "users.id")
        .where(({ eb, or }) => or([eb("revoked_at", "is", null), eb("revoked_at", ">", now)]))
        .where(({ eb, or }) => or([eb("expires_at", "is", null), eb("expires_at", ">", now)]))
        .as("tokens"),
    ])
    .where("users.id", "!=", removedOwner)
    .orderBy("last_sign_in_at", "desc")
    .orderBy("users.id")
    .execute();
  return rows.map(({ sessions, tokens, ...row }) => ({
    user: userOf(row),
    sessions: sessions ?? 0,
    tokens: tokens ?? 0,
  }));
}

/** Deletes a user with their sessions, service tokens and connections. */
export async function deleteUser(trx: WriteTransaction, userId: string): Promise<void> {
  await trx.deleteFrom("users").where("id", "=", userId).execute();
}

function userOf(row: Selectable<Tables["users"]>): User {
  return {
    id: row.id,
    provider: row.provider,
    providerUserId: row.provider_user_id,
    name: row.name,
    email: row.email,
    avatarUrl: row.avatar_url,
    createdAt: row.created_at,
    lastSignInAt: row.last_sign_in_at,
  };
}

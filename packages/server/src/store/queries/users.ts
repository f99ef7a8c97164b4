import type { User } from "../../model/caller.ts";
import type { ReadHandle, WriteTransaction } from "../port.ts";
import { isUsableToken } from "./service-tokens.ts";
import { isLiveSession } from "./sessions.ts";
import { countRows } from "./statements.ts";

const userColumns = [
  "users.id",
  "users.provider",
  "users.provider_user_id as providerUserId",
  "users.name",
  "users.email",
  "users.avatar_url as avatarUrl",
  "users.created_at as createdAt",
  "users.last_sign_in_at as lastSignInAt",
] as const;

/** A person as the provider describes them at sign-in. `newId` becomes the id of a new user. */
type SignedInPerson = Omit<User, "id" | "createdAt" | "lastSignInAt"> & { readonly newId: string };

/** Creates the user, or updates the one known to this provider (SIGN-5). */
export function upsertUser(trx: WriteTransaction, person: SignedInPerson, now: number): Promise<User> {
  const latest = {
    name: person.name,
    email: person.email,
    avatar_url: person.avatarUrl,
    last_sign_in_at: now,
  };
  return trx
    .insertInto("users")
    .values({
      id: person.newId,
      provider: person.provider,
      provider_user_id: person.providerUserId,
      created_at: now,
      ...latest,
    })
    .onConflict((conflict) => conflict.columns(["provider", "provider_user_id"]).doUpdateSet(latest))
    .returning(userColumns)
    .executeTakeFirstOrThrow();
}

export async function findUser(db: ReadHandle, userId: string): Promise<User | null> {
  const user = await db.selectFrom("users").select(userColumns).where("id", "=", userId).executeTakeFirst();
  return user ?? null;
}

/** The id of the user whom a provider identifies by this id; null if there is none. */
export async function findUserOfProvider(
  db: ReadHandle,
  provider: string,
  providerUserId: string,
): Promise<string | null> {
  const user = await db
    .selectFrom("users")
    .select("id")
    .where("provider", "=", provider)
    .where("provider_user_id", "=", providerUserId)
    .executeTakeFirst();
  return user?.id ?? null;
}

export function countUsers(db: ReadHandle): Promise<number> {
  return countRows(db.selectFrom("users"));
}

/** A user, how many live sessions and usable service tokens they have, and how much their connections store. */
interface UserSummary {
  readonly user: User;
  readonly sessions: number;
  readonly tokens: number;
  /** Pages and databases of all of their graphs. */
  readonly pages: number;
  readonly storedBytes: number;
}

/** All users, the latest sign-in first. Counts their pages: for commands, not for requests. */
export async function listUsers(db: ReadHandle, now: number): Promise<UserSummary[]> {
  const rows = await db
    .selectFrom("users")
    .select(userColumns)
    .select((of) => [
      of
        .selectFrom("sessions")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("sessions.user_id", "=", "users.id")
        .where(isLiveSession(now))
        .as("sessions"),
      of
        .selectFrom("service_tokens")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("service_tokens.user_id", "=", "users.id")
        .where(isUsableToken(now))
        .as("tokens"),
      of
        .selectFrom("connections")
        .innerJoin("nodes", "nodes.connection_id", "connections.id")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("connections.user_id", "=", "users.id")
        .as("pages"),
      of
        .selectFrom("connections")
        .select(({ fn }) => fn.sum<number | string>("stored_bytes").as("bytes"))
        .whereRef("connections.user_id", "=", "users.id")
        .as("storedBytes"),
    ])
    .orderBy("last_sign_in_at", "desc")
    .orderBy("users.id")
    .execute();
  return rows.map(({ sessions, tokens, pages, storedBytes, ...user }) => ({
    user,
    sessions: sessions ?? 0,
    tokens: tokens ?? 0,
    pages: pages ?? 0,
    // PostgreSQL sums 64-bit integers to a decimal, which is a string.
    storedBytes: Number(storedBytes ?? 0),
  }));
}

/** Deletes a user with their sessions, service tokens and connections. */
export async function deleteUser(trx: WriteTransaction, userId: string): Promise<void> {
  await trx.deleteFrom("users").where("id", "=", userId).execute();
}

import { formatBytes, plainText, table } from "@clew/cli";
import { connectedProvider } from "@clew/contract/settings";
import { endSessionsOf } from "../auth/live-sessions.ts";
import { codeMinutes, issueSignInCode } from "../auth/sign-in/code.ts";
import { deleteAccount } from "../connections/remove.ts";
import type { User } from "../model/caller.ts";
import { formatTimestamp } from "../present/values.ts";
import { allowedConnections } from "../store/queries/callers.ts";
import { findUser, listUsers } from "../store/queries/users.ts";
import {
  type CliContext,
  CommandError,
  firstOf,
  type Installation,
  removalServices,
  withBuckets,
  withInstallation,
} from "./installation.ts";

/** Lists all accounts, the latest sign-in first, and whether the allow lists permit them (SIGN-10). */
export async function listAccounts(
  context: CliContext,
  { json = false }: { readonly json?: boolean },
): Promise<void> {
  const { print } = context;
  await withBuckets(context, async (buckets) => {
    const found = await Promise.all(
      buckets.map(async (bucket) => {
        const accounts = await accountsOf(bucket);
        return accounts.map((account) => ({ ...account, bucket: buckets.length > 1 ? bucket.number : null }));
      }),
    );
    // A person who is being moved is in two buckets for a while.
    const accounts = [...new Map(found.flat().map((account) => [account.id, account])).values()];
    accounts.sort((one, other) => other.last_sign_in_at.localeCompare(one.last_sign_in_at));
    if (json) return print(JSON.stringify(accounts, null, 2));
    if (accounts.length === 0) return print("There are no accounts.");
    const rows = accounts.map((account) => ({
      id: account.id,
      name: account.name ?? "",
      email: account.email ?? "",
      provider: account.provider,
      "may use Clew": account.allowed ? "yes" : "no",
      sessions: String(account.sessions),
      tokens: String(account.tokens),
      ...(account.bucket !== null && { bucket: String(account.bucket) }),
      pages: String(account.pages),
      stored: formatBytes(account.stored_bytes),
      "last sign-in": account.last_sign_in_at,
    }));
    for (const line of table(rows)) print(line);
  });
}

async function accountsOf({ config, database, clock }: Installation) {
  const accounts = [];
  for (const { user, sessions, tokens, pages, storedBytes } of await listUsers(database.read, clock())) {
    const connections = await allowedConnections(database.read, config.allowed, user.id);
    const { id, provider, name, email, lastSignInAt } = user;
    const allowed = connections !== null;
    const last_sign_in_at = formatTimestamp(lastSignInAt);
    const counts = { sessions, tokens, pages, stored_bytes: storedBytes };
    accounts.push({ id, provider, name, email, allowed, ...counts, last_sign_in_at });
  }
  return accounts;
}

/** Ends all sessions of a user, at once on every instance. Their service tokens stay valid. */
export async function signOutUser(context: CliContext, id: string): Promise<void> {
  const { print } = context;
  await withBuckets(context, async (buckets) => {
    const { user, bucket } = await requireUser(buckets, id);
    const { database, clock } = bucket;
    const ended = await database.transaction((trx) => endSessionsOf(trx, user.id, clock()));
    print(
      `${nameOf(user)} is signed out: ${count(ended, "session")} ended. Service tokens are not affected.`,
    );
  });
}

/** Deletes an account as its owner can (SESS-9). A running Clew, or the next to start, revokes its grants. */
export async function removeUser(context: CliContext, id: string): Promise<void> {
  const { print } = context;
  await withBuckets(context, async (buckets) => {
    const { user, bucket } = await requireUser(buckets, id);
    await deleteAccount(await removalServices(context, bucket), user.id);
    print(`The account of ${nameOf(user)} is removed, with its sessions, service tokens and graphs.`);
    print(
      "Clew revokes its access at the provider within seconds if it is running, otherwise after its next start.",
    );
  });
}

/** Finds a user, and the bucket in which they live. Throws `CommandError` if there is none. */
async function requireUser(
  buckets: readonly Installation[],
  id: string,
): Promise<{ readonly user: User; readonly bucket: Installation }> {
  const found = await firstOf(buckets, async (bucket) => {
    const user = await findUser(bucket.database.read, id);
    return user && { user, bucket };
  });
  if (found !== null) return found;
  throw new CommandError(`There is no user ${plainText(id)}. \`clew users list\` shows the ids.`);
}

const nameOf = ({ id, name, email }: User) => plainText(name ?? email ?? id);

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? "" : "s"}`;

/** Ends the sessions of all users, at once on every instance. Service tokens stay valid. */
export async function endAllSessions(context: CliContext): Promise<void> {
  const { print } = context;
  await withBuckets(context, async (buckets) => {
    let ended = 0;
    for (const { database, clock } of buckets)
      ended += await database.transaction((trx) => endSessionsOf(trx, null, clock()));
    print(`${count(ended, "session")} ended. All users have to sign in again.`);
    print("Service tokens are not affected.");
  });
}

/** Prints a one-time code for the sign-in page, also while Clew is running (SIGN-12). */
export async function printSignInCode(context: CliContext): Promise<void> {
  await withInstallation(context, async ({ config, database, clock }) => {
    const { provider, folders, foldersAskForCode } = config;
    if (provider.token === null && (folders.length === 0 || !foldersAskForCode))
      throw new CommandError(
        `Sign-in codes are used only if ${connectedProvider.settings.token} is set, or FOLDERS while other machines reach Clew.`,
      );
    context.print(await issueSignInCode({ ...context, database, clock }));
    context.print(`Valid once within ${codeMinutes} minutes, at ${config.dashboardUrl.href}`);
  });
}

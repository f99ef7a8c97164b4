import type { Grant, Provider } from "@clew/provider";
import { sealTokens } from "../../connections/grant.ts";
import { requestJob } from "../../connections/request-sync.ts";
import type { Actor, Origin, User } from "../../model/caller.ts";
import type { Connection } from "../../model/connection.ts";
import { isFolderSlug } from "../../model/folders.ts";
import { newId } from "../../secrets/new-id.ts";
import type { WriteTransaction } from "../../store/port.ts";
import { insertAudit } from "../../store/queries/audit.ts";
import { connectionsOf, upsertConnection } from "../../store/queries/connections.ts";
import { findUser, upsertUser } from "../../store/queries/users.ts";
import { withLiveSession } from "../live-sessions.ts";
import type { OpenedSession, Sessions } from "../sessions.ts";
import type { SecretStoreServices } from "../signing-keys.ts";
import { SignInFailure } from "./redirect.ts";

interface AccountServices extends SecretStoreServices {
  readonly sessions: Pick<Sessions, "open">;
}

/** A grant, and the source that gave it. */
export interface Granted {
  readonly source: Provider;
  readonly grant: Grant;
}

/** A grant, and the names of its source under which accounts and connections are stored. */
type NamedSource = { readonly source: Pick<Provider, "slug" | "people">; readonly grant: Grant };

/**
 * Creates or updates the user and the connection, requests a sync and opens a session, all in one transaction (SIGN-5).
 * A user is identified by the people of the source and the person's id there, so users of the demo workspace are separate
 * (SIGN-11). Throws `SignInFailure`.
 */
export async function openAccount(
  services: AccountServices,
  { source, grant }: NamedSource,
  origin: Origin,
): Promise<{ connection: Connection; session: OpenedSession }> {
  const { database, sessions, clock, random } = services;
  const { person } = grant;
  const now = clock();
  return database.transaction(async (trx) => {
    const user = await upsertUser(
      trx,
      {
        newId: newId(random),
        provider: source.people,
        providerUserId: person.id,
        name: person.name,
        email: person.email,
        avatarUrl: person.avatarUrl,
      },
      now,
    );
    const connection = await connect(trx, services, user, { source, grant });
    const session = await sessions.open(trx, user.id, origin.userAgent);
    const { sessionId } = session;
    await insertAudit(trx, [{ userId: user.id, at: now, event: "signed_in", sessionId, origin }]);
    return { connection, session };
  });
}

/**
 * Adds a connection to the account of a session, or replaces its grant, and requests a sync (SIGN-5). The person who gave the grant
 * may have an account of their own, which stays as it is. Throws `SignInFailure`, and `ApiError` `token_revoked` if the session has
 * ended.
 */
export async function addToAccount(
  services: AccountServices,
  granted: NamedSource,
  { userId, sessionId, ...origin }: Actor,
): Promise<Connection> {
  const { clock } = services;
  const database = withLiveSession(services.database, { userId, sessionId }, clock);
  return database.transaction(async (trx) => {
    const user = await findUser(trx, userId);
    if (user === null) throw new SignInFailure("invalid_state");
    const connection = await connect(trx, services, user, granted);
    const { workspaceId } = connection;
    const event = {
      userId,
      at: clock(),
      event: "workspace_connected",
      sessionId,
      workspaceId,
      origin,
    } as const;
    await insertAudit(trx, [event]);
    return connection;
  });
}

/** Creates or updates a user's connection, and requests its sync. Throws `SignInFailure`. */
async function connect(
  trx: WriteTransaction,
  { secrets, clock }: Pick<AccountServices, "secrets" | "clock">,
  user: User,
  { source, grant }: NamedSource,
): Promise<Connection> {
  const { person, workspace, accessToken, refreshToken } = grant;
  const owner = { userId: user.id, workspaceId: workspace.id };
  const known = (await connectionsOf(trx, user.id)).find((each) => each.workspaceId === workspace.id);
  if (known !== undefined && !mayReplace(known.provider, source.slug))
    throw new SignInFailure("exchange_failed", new Error("another source has a workspace of this id"));
  const isOwn = user.provider === source.people && user.providerUserId === person.id;
  const now = clock();
  const connection = await upsertConnection(
    trx,
    {
      ...owner,
      ...sealTokens(secrets, owner, { accessToken, refreshToken }),
      provider: source.slug,
      grantedEmail: isOwn ? null : (person.email ?? ""),
      name: workspace.name,
      icon: workspace.icon,
      grantId: grant.id,
    },
    now,
  );
  await requestJob(trx, connection.id, { by: "sign-in" }, now);
  return connection;
}

/**
 * Whether a source's grant may take the place of another source's. A folder's connection follows it to another name: Clew gives its
 * workspace the id, so no other folder has it.
 */
function mayReplace(known: string, next: string): boolean {
  return known === next || (isFolderSlug(known) && isFolderSlug(next));
}

import type { Grant, Provider } from "@clew/provider";
import { sealTokens } from "../../connections/grant.ts";
import { requestJob } from "../../connections/request-sync.ts";
import type { Origin } from "../../model/caller.ts";
import type { Connection } from "../../model/connection.ts";
import { newId } from "../../secrets/new-id.ts";
import { insertAudit } from "../../store/queries/audit.ts";
import { upsertConnection } from "../../store/queries/connections.ts";
import { upsertUser } from "../../store/queries/users.ts";
import type { OpenedSession, Sessions } from "../sessions.ts";
import type { SecretStoreServices } from "../signing-keys.ts";

interface AccountServices extends SecretStoreServices {
  readonly provider: Pick<Provider, "slug">;
  readonly sessions: Pick<Sessions, "open">;
}

/**
 * Creates or updates the user and the connection, requests a sync and opens a session, all in one transaction (SIGN-5).
 * A user is identified by the provider's slug and the person's id there, so users of the demo workspace are separate
 * (SIGN-11).
 */
export async function openAccount(
  { database, secrets, provider, sessions, clock, random }: AccountServices,
  { id: grantId, person, workspace, accessToken, refreshToken }: Grant,
  origin: Origin,
): Promise<{ connection: Connection; session: OpenedSession }> {
  const now = clock();
  return database.transaction(async (trx) => {
    const user = await upsertUser(
      trx,
      {
        newId: newId(random),
        provider: provider.slug,
        providerUserId: person.id,
        name: person.name,
        email: person.email,
        avatarUrl: person.avatarUrl,
      },
      now,
    );
    const owner = { userId: user.id, workspaceId: workspace.id };
    const connection = await upsertConnection(
      trx,
      {
        ...owner,
        ...sealTokens(secrets, owner, { accessToken, refreshToken }),
        name: workspace.name,
        icon: workspace.icon,
        grantId,
      },
      now,
    );
    await requestJob(trx, connection.id, { by: "sign-in" }, now);
    const session = await sessions.open(trx, user.id, origin.userAgent);
    const { sessionId } = session;
    await insertAudit(trx, [{ userId: user.id, at: now, event: "signed_in", sessionId, origin }]);
    return { connection, session };
  });
}

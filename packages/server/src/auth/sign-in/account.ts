import type { Clock } from "../../model/clock.ts";
import type { Connection } from "../../model/connection.ts";
import { newId } from "../../model/new-id.ts";
import type { RandomBytes } from "../../model/random.ts";
import type { Grant, Provider } from "../../provider/port.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import { upsertConnection } from "../../store/connections.ts";
import type { Database } from "../../store/database.ts";
import { upsertUser } from "../../store/users.ts";
import type { OpenedSession, Sessions } from "../sessions.ts";

interface Parts {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly provider: Pick<Provider, "slug">;
  readonly sessions: Pick<Sessions, "open">;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** Characters of a `User-Agent` that are kept: enough to recognise a browser by. */
const userAgentLength = 512;

/**
 * Creates or updates the user and the connection and opens a session: all of it or nothing (SIGN-5).
 * A user is known by the provider's slug and the provider's id, so the stand-in's people are nobody else's
 * (SIGN-11).
 */
export async function openAccount(
  { database, secrets, provider, sessions, clock, random }: Parts,
  { person, workspace, botId, accessToken, refreshToken }: Grant,
  userAgent: string | undefined,
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
    const seal = (token: string, kind: string) =>
      secrets.seal(Buffer.from(token), `${kind}:${user.id}:${workspace.id}`);
    const connection = await upsertConnection(
      trx,
      {
        userId: user.id,
        workspaceId: workspace.id,
        name: workspace.name,
        icon: workspace.icon,
        botId,
        accessToken: seal(accessToken, "grant"),
        refreshToken: refreshToken === null ? null : seal(refreshToken, "grant-refresh"),
      },
      now,
    );
    const session = await sessions.open(trx, user.id, userAgent?.slice(0, userAgentLength) ?? null);
    return { connection, session };
  });
}

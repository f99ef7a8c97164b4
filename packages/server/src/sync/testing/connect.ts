import { type ConsentChoice, giveConsent } from "@clew/stand-in/testing";
import { sealTokens } from "../../connections/grant.ts";
import type { Connection } from "../../model/connection.ts";
import type { Clock } from "../../model/runtime.ts";
import type { Provider } from "../../provider/port.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import type { Database } from "../../store/port.ts";
import { upsertConnection } from "../../store/queries/connections.ts";
import { upsertUser } from "../../store/queries/users.ts";

interface Parts {
  readonly database: Database;
  readonly provider: Provider;
  readonly secrets: Secrets;
  readonly clock: Clock;
}

/** Signs in at the stand-in as somebody does and connects, without asking for a sync; again replaces the grant. */
export async function connectAtStandIn(
  { database, provider, secrets, clock }: Parts,
  choice?: ConsentChoice,
): Promise<Connection> {
  const redirectUri = "http://localhost/callback";
  const answer = await giveConsent(provider.authorizationUrl({ state: "s", redirectUri }), choice);
  const code = new URL(answer).searchParams.get("code") ?? "";
  const signal = AbortSignal.timeout(10_000);
  const { person, workspace, ...grant } = await provider.exchange({ code, redirectUri, signal });
  return database.transaction(async (trx) => {
    const named = { newId: person.id, provider: provider.slug, providerUserId: person.id };
    const user = await upsertUser(trx, { ...named, name: null, email: null, avatarUrl: null }, clock());
    const owner = { userId: user.id, workspaceId: workspace.id };
    const tokens = { botId: grant.botId, ...sealTokens(secrets, owner, grant) };
    return upsertConnection(trx, { ...owner, ...tokens, name: null, icon: null }, clock());
  });
}

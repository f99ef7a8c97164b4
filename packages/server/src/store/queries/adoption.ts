import type { ReadHandle, WriteTransaction } from "../port.ts";
import type { SealedGrant } from "./connections.ts";
import { liveConnections, type Owned } from "./removed-connections.ts";
import { updateConnection } from "./statements.ts";

/** A connection that another source may take over. */
export interface AdoptableConnection {
  readonly id: number;
  readonly userId: string;
  readonly workspaceId: string;
  /** The source's id of the grant. */
  readonly grantId: string;
  readonly status: "active" | "needs_reauth";
}

/** The connections to a source, those of the oldest accounts first. */
export function connectionsOfSource(db: ReadHandle, provider: string): Promise<AdoptableConnection[]> {
  return liveConnections(db)
    .innerJoin("users", "users.id", "connections.user_id")
    .select(["connections.id", "connections.user_id as userId", "workspace_id as workspaceId"])
    .select(["bot_id as grantId", "status"])
    .$narrowType<Owned>()
    .where("connections.provider", "=", provider)
    .orderBy("users.created_at")
    .orderBy("connections.id")
    .execute();
}

/** Gives a user to other people. No user of theirs may have this id. */
export async function renameUser(
  trx: WriteTransaction,
  userId: string,
  { provider, providerUserId }: { readonly provider: string; readonly providerUserId: string },
): Promise<void> {
  await trx
    .updateTable("users")
    .set({ provider, provider_user_id: providerUserId })
    .where("id", "=", userId)
    .execute();
}

/** Gives a connection to another source, with the grant of that. Its graph stays. */
export async function adoptConnection(
  trx: WriteTransaction,
  connectionId: number,
  {
    provider,
    grantId,
    accessToken,
    refreshToken,
  }: Pick<SealedGrant, "accessToken" | "refreshToken"> & {
    readonly provider: string;
    readonly grantId: string;
  },
): Promise<void> {
  await updateConnection(trx, connectionId)
    .set({
      provider,
      bot_id: grantId,
      access_token: accessToken,
      refresh_token: refreshToken,
      status: "active",
      withdrawn_at: null,
    })
    .execute();
}

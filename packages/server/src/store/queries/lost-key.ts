import type { WriteTransaction } from "../port.ts";
import { writeClientKey } from "./installation.ts";
import { isLive } from "./removed-connections.ts";
import { countChanged } from "./statements.ts";

/** The numbers of what was given up with a lost key. */
interface GivenUp {
  /** Connections whose owners have to sign in again. */
  readonly connections: number;
  /** Grants that Clew can no longer revoke at the provider. */
  readonly revocations: number;
}

/**
 * Deletes every secret that only the encryption key opens. The grants count as withdrawn as of `now` (SYNC-8), and `reason` is
 * shown to their owners. Everything else stays: people, sessions, service tokens, graphs, texts and audit trails.
 */
export async function giveUpSecrets(
  trx: WriteTransaction,
  { now, reason }: { readonly now: number; readonly reason: string },
): Promise<GivenUp> {
  const connections = await countChanged(
    trx
      .updateTable("connections")
      .set(({ fn, val }) => ({
        access_token: new Uint8Array(),
        refresh_token: null,
        status: "needs_reauth",
        withdrawn_at: fn.coalesce("withdrawn_at", val(now)),
        sync_state: "failed",
        sync_phase: null,
        sync_waiting_until: null,
        sync_outcome: "failed",
        sync_error: reason,
      }))
      .where(isLive),
  );
  await trx.deleteFrom("sync_jobs").execute();
  const revocations = await countChanged(trx.deleteFrom("revocations"));
  await trx.deleteFrom("signing_keys").execute();
  await writeClientKey(trx, null);
  return { connections, revocations };
}

import type { Database } from "../store/port.ts";
import { activeTokens, deleteActivity, deleteActivityBefore } from "../store/queries/activity.ts";
import { serviceTokensById } from "../store/queries/service-tokens.ts";

/** Tokens that are compared at a time. */
const tokensAtATime = 500;

/**
 * Deletes calls from before a time, and those of tokens that are gone: of accounts that were deleted while the activity could not be
 * written, and of a database that was restored since.
 */
export async function tendActivity(
  { activity, read }: Pick<Database, "activity" | "read">,
  before: number,
  signal: AbortSignal,
): Promise<void> {
  let deleted = await activity.write((trx) => deleteActivityBefore(trx, before));
  for (let after = 0; !signal.aborted; ) {
    const active = await activity.read((db) => activeTokens(db, { after, limit: tokensAtATime }));
    const last = active.at(-1);
    if (last === undefined) break;
    after = last.id;
    const tokens = await serviceTokensById(read, new Set(active.map(({ id }) => id)));
    const gone = active.filter(({ id, userId, createdAt }) => {
      const token = tokens.get(id);
      return token?.userId !== userId || token.createdAt !== createdAt;
    });
    if (gone.length === 0) continue;
    await activity.write((trx) =>
      deleteActivity(
        trx,
        gone.map(({ id }) => id),
      ),
    );
    deleted = true;
  }
  if (deleted) await activity.erase();
}

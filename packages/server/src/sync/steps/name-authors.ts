import { ProviderError, type WorkspaceReader } from "@clew/provider";
import { authorsOf, setAuthors } from "../../store/queries/authors.ts";
import type { StoreToWrite, SyncContext } from "../context.ts";

/** Further authors of a workspace stay without a name. */
const maxAuthors = 50_000;

/** Authors whom a sync asks for one by one. Later syncs ask for the others. */
const maxLookups = 100;

/**
 * Stores the names of those who made or edited pages (SRC-5), if there is one whose name no sync has asked for; a full sync asks for
 * all again. Whom the provider does not list, such as a guest, is looked up. All are known by their ids alone if it may not tell
 * names. Nothing but a withdrawn grant makes the sync fail.
 */
export async function nameAuthors({
  connectionId,
  database,
  plan,
  reader,
  log,
}: StoreToWrite &
  Pick<SyncContext, "plan" | "log"> & {
    readonly reader: Pick<WorkspaceReader, "authors" | "author">;
  }): Promise<void> {
  if (reader.authors === undefined) return;
  const known = await authorsOf(database.read, connectionId);
  if (known.length === 0 || (plan.kind !== "full" && known.every(({ isKnown }) => isKnown))) return;
  const names = new Map<string, string | null>();
  try {
    for await (const { id, name } of reader.authors()) {
      names.set(id, name);
      if (names.size >= maxAuthors) break;
    }
  } catch (error) {
    if (!(error instanceof ProviderError) || error.code === "unauthorized") throw error;
    log.warn({ connectionId, err: error }, "failed to list the names of authors");
    if (error.code !== "refused") return;
  }
  const unlisted = known.filter(({ id, isKnown }) => !names.has(id) && (!isKnown || plan.kind === "full"));
  const lookedUp = unlisted.slice(0, maxLookups);
  try {
    for (const { id } of lookedUp) names.set(id, (await reader.author?.(id))?.name ?? null);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.code === "unauthorized") throw error;
    log.warn({ connectionId, err: error }, "failed to look up the name of an author");
    if (error.code !== "refused") return;
  }
  const later = new Set(unlisted.slice(maxLookups).map(({ id }) => id));
  const changed = known.flatMap(({ id, name, isKnown }) => {
    const given = names.get(id) ?? name;
    return later.has(id) || (isKnown && given === name) ? [] : { id, name: given };
  });
  await database.transaction((trx) => setAuthors(trx, connectionId, changed));
}

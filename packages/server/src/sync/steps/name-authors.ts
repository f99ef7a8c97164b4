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
  const toAsk = () => known.filter(({ id, isKnown }) => !names.has(id) && (!isKnown || plan.kind === "full"));
  let mayLookUp = false;
  try {
    await isPermitted(() => addListed(reader, names));
    mayLookUp = await isPermitted(() => addLookedUp(reader, toAsk().slice(0, maxLookups), names));
    if (!mayLookUp) log.warn({ connectionId }, "failed to look up authors: the grant does not permit it");
  } catch (error) {
    if (!(error instanceof ProviderError) || error.code === "unauthorized") throw error;
    log.warn({ connectionId, err: error }, "failed to ask for the names of authors");
    return;
  }
  // The next sync asks for the others, if it may.
  const later = new Set(mayLookUp ? toAsk().map(({ id }) => id) : []);
  const changed = known.flatMap(({ id, name, isKnown }) => {
    const given = names.get(id) ?? name;
    return later.has(id) || (isKnown && given === name) ? [] : { id, name: given };
  });
  await database.transaction((trx) => setAuthors(trx, connectionId, changed));
}

/** Runs work. Returns false if the grant does not permit it. */
async function isPermitted(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof ProviderError) || error.code !== "refused") throw error;
    return false;
  }
}

type Names = Map<string, string | null>;

async function addListed(reader: Pick<WorkspaceReader, "authors">, names: Names): Promise<void> {
  for await (const { id, name } of reader.authors?.() ?? []) {
    names.set(id, name);
    if (names.size >= maxAuthors) return;
  }
}

async function addLookedUp(
  reader: Pick<WorkspaceReader, "author">,
  authors: readonly { readonly id: string }[],
  names: Names,
): Promise<void> {
  for (const { id } of authors) names.set(id, (await reader.author?.(id))?.name ?? null);
}

import type { Change, Provider } from "@clew/provider";
import type { AllowList } from "../model/allow-list.ts";
import type { Log } from "../model/log.ts";
import type { Sleep } from "../model/runtime.ts";
import type { Sources } from "../providers/sources.ts";
import type { Database } from "../store/port.ts";
import { connectionsOfWorkspace, findConnection } from "../store/queries/connections.ts";
import type { Background } from "./jobs/repeat.ts";
import type { WaitingEdits } from "./waiting-edits.ts";
import { WatchPauses } from "./watch-pauses.ts";

interface WatchServices {
  readonly sources: Sources<Pick<Provider, "slug" | "watch">>;
  readonly database: Database;
  readonly allowed: AllowList;
  readonly edits: Pick<WaitingEdits, "request">;
  readonly log: Log;
  /** Waits; by default without keeping the process alive. */
  readonly sleep?: Sleep | undefined;
}

/**
 * Watches the sources that tell by themselves what has changed (SRC-2), until it is stopped. Every connection to a changed workspace
 * reads what was named, or everything if much has changed. A change that is lost is found by the next look or listing. A watch that
 * begins again after syncs that ended badly waits before it asks for the next one.
 */
export function watchSources({ sources, database, allowed, edits, log, sleep }: WatchServices): Background {
  const underWay = new Set<Promise<void>>();
  const pauses = new WatchPauses(sleep);

  async function mayRequest(id: number, { isBeginning }: Change): Promise<boolean> {
    if (isBeginning) return pauses.wait(id, (await findConnection(database.read, id))?.sync.outcome ?? null);
    pauses.noteChange(id);
    return true;
  }

  async function requestSyncs(provider: string, change: Change): Promise<void> {
    const { workspaceId, changed } = change;
    const search = { provider, workspaceId, allowed };
    const only = changed === null ? {} : { only: changed };
    const ids = await connectionsOfWorkspace(database.read, search);
    // One connection does not wait for the lists of another.
    await Promise.all(
      ids.map(async (id) => {
        if (await mayRequest(id, change)) await edits.request(id, { by: "watch", ...only });
      }),
    );
  }

  const watches = sources.all.map(({ slug, watch }) =>
    watch?.((change) => {
      const requested = requestSyncs(slug, change)
        .catch((err: unknown) => log.error({ source: slug, err }, "failed to request the syncs of a change"))
        .finally(() => underWay.delete(requested));
      underWay.add(requested);
    }),
  );
  return {
    async stop() {
      pauses.stop();
      await Promise.all(watches.map((each) => each?.stop()));
      await Promise.all(underWay);
    },
  };
}

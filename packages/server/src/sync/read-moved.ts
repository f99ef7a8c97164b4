import { requestJob } from "../connections/request-sync.ts";
import type { Clock } from "../model/runtime.ts";
import type { Provider } from "../provider/port.ts";
import type { Database } from "../store/port.ts";
import { connectionsWithPagesElsewhere } from "../store/queries/moved-pages.ts";
import { requeueAllTexts } from "../store/queries/reading-list.ts";

interface Parts {
  readonly database: Database;
  readonly provider: Pick<Provider, "slug">;
  readonly clock: Clock;
}

/**
 * Has workspaces read whole again whose pages were read while the demo was at another address: PUBLIC_URL has changed
 * since, or the version was an earlier one. No edit would tell, and their links would lead nowhere (SIGN-11).
 */
export async function readMovedPages({ database, provider, clock }: Parts, base: string): Promise<void> {
  await database.transaction(async (trx) => {
    for (const id of await connectionsWithPagesElsewhere(trx, provider.slug, base)) {
      await requeueAllTexts(trx, id);
      await requestJob(trx, id, { by: "schedule", full: true }, clock());
    }
  });
}

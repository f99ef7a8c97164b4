import { contextJob } from "../../packages/server/src/queries/context-job.ts";
import { openContexts } from "./contexts.ts";
import { printFigures } from "./figures.ts";
import { syncedDatabase, withDataFolder } from "./kept.ts";
import { openSet, type QuestionSet } from "./sets.ts";

/** Prints what contexts hold, built in this process from data that an earlier run may have synced. */
export async function measureQuickly(sets: readonly QuestionSet[]): Promise<void> {
  await withDataFolder(async (root) => {
    for (const set of sets) {
      const { questions, folder } = await openSet(set, root);
      const contexts = await openContexts(await syncedDatabase(root, set.corpus, folder));
      try {
        await printFigures(set, questions, "context", contexts.gatherBy(contextJob));
      } finally {
        await contexts.close();
      }
    }
  });
}

import { contextJob } from "../../packages/server/src/queries/context-job.ts";
import { type Contexts, openContexts } from "./contexts.ts";
import { printFigures } from "./figures.ts";
import { syncedDatabase, withDataFolder } from "./kept.ts";
import type { Question } from "./questions.ts";
import { openSet, type QuestionSet } from "./sets.ts";

/** Prints what contexts hold, built in this process from data that an earlier run may have synced. */
export function measureQuickly(sets: readonly QuestionSet[]): Promise<void> {
  return measureContexts(sets, (set, questions, contexts) =>
    printFigures(set, questions, "context", contexts.gatherBy(contextJob)),
  );
}

/** Calls `measure` for each set with its questions and what builds contexts for them. */
export async function measureContexts(
  sets: readonly QuestionSet[],
  measure: (set: QuestionSet, questions: readonly Question[], contexts: Contexts) => Promise<unknown>,
): Promise<void> {
  await withDataFolder(async (root) => {
    for (const set of sets) {
      const { questions, folder } = await openSet(set, root);
      const contexts = await openContexts(await syncedDatabase(root, set.corpus, folder));
      try {
        await measure(set, questions, contexts);
      } finally {
        await contexts.close();
      }
    }
  });
}

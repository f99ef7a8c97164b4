import { createBuilder } from "../../packages/server/src/graph-cache/builder.ts";
import { createTextIndex } from "../../packages/server/src/graph-cache/texts/texts.ts";
import {
  type ContextJobInput,
  contextJob,
} from "../../packages/server/src/graph-cache/threads/context/context-job.ts";
import {
  type ContextWeights,
  standardWeights,
} from "../../packages/server/src/graph-cache/threads/context/weights.ts";
import type { JobServices } from "../../packages/server/src/graph-cache/threads/job.ts";
import { openDatabase, openTextReader } from "../../packages/server/src/store/database.ts";
import { connectionIds } from "../../packages/server/src/store/queries/connections.ts";
import { budgets, charsPerToken, type Question, recallsOf } from "./questions.ts";

/** What is left out in turn. */
const changes: Readonly<Record<string, Partial<ContextWeights>>> = {
  "as it is": {},
  "without related words": { related: 0 },
  "without neighbouring passages": { neighbors: 0 },
  "without sections": { section: 0 },
  "without headings": { headings: 0 },
  "without the title": { title: 0 },
  "without words around links": { linkWords: 0 },
  "without the page's rank": { page: 0 },
  "without links in the page's rank": { links: 0 },
  "without the whole of a page": { wholePage: 0 },
  "with words of conversation": { keepsConversation: true },
  "with copies of pages": { skipsCopies: false },
  "code like other text": { code: 0 },
  "rows like other text": { row: 0 },
};

/** Prints the recall of contexts with each part of the ranking left out, and what a call takes of the processor. */
export async function printAblation(path: string, questions: readonly Question[]): Promise<void> {
  const contexts = await openContexts(path);
  try {
    for (const [name, change] of Object.entries(changes)) {
      const weights = { ...standardWeights, ...change };
      const start = process.cpuUsage();
      const recalls = await recallsOf(questions, ({ question }, tokens) =>
        contexts.markdownOf({ query: question, about: null, maxChars: tokens * charsPerToken, weights }),
      );
      const { user, system } = process.cpuUsage(start);
      const callMs = (user + system) / 1000 / budgets.length / questions.length;
      console.log(`${recalls.join(", ")} of ${questions.length}; ${callMs.toFixed(0)} ms a call: ${name}`);
    }
  } finally {
    await contexts.close();
  }
}

/** Runs the job of `context/` on the first connection of a database that is being served. */
async function openContexts(path: string) {
  const database = await openDatabase({ location: path, backUp: false });
  const texts = createTextIndex({ database, log: { warn: console.warn, error: console.error } });
  const [connectionId] = await connectionIds(database.read);
  const reader = await openTextReader(database.location);
  if (connectionId === undefined || reader === null) throw new Error("there is nothing to search in");
  const { graph } = await createBuilder(database).build(connectionId);
  const source = { connectionId, graph, texts: await texts.open(connectionId, graph.columns.ids) };
  const services: JobServices = {
    db: database.read,
    monotonic: () => performance.now(),
    withTexts: (_sources, work) => reader.snapshot(work),
  };
  return {
    markdownOf: async (input: ContextJobInput) => (await contextJob(services, [source], input)).markdown,
    async close() {
      await reader.close();
      await texts.close();
      await database.close();
    },
  };
}

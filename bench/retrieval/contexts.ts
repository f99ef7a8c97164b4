import { GraphBuilder } from "../../packages/server/src/graphs/builder.ts";
import type { DatabaseLocation } from "../../packages/server/src/model/database-location.ts";
import type { contextJob } from "../../packages/server/src/queries/context-job.ts";
import type { JobServices } from "../../packages/server/src/queries/jobs.ts";
import { LastContext } from "../../packages/server/src/queries/last-context.ts";
import { openDatabase, openTextReader } from "../../packages/server/src/store/database.ts";
import { connectionIds } from "../../packages/server/src/store/queries/connections.ts";
import { TextIndex } from "../../packages/server/src/texts/text-index.ts";
import { charsPerToken, type Gather } from "./questions.ts";

export type ContextJob = typeof contextJob;

/** Contexts that are built in this process, without a server. */
export interface Contexts {
  gatherBy(job: ContextJob): Gather;
  close(): Promise<void>;
}

/** Opens the first connection of a database. */
export async function openContexts(location: DatabaseLocation): Promise<Contexts> {
  const database = await openDatabase({ location, backUp: false });
  const texts = new TextIndex({ database, log: { warn: console.warn, error: console.error } });
  const [connectionId] = await connectionIds(database.read);
  const reader = await openTextReader(database.location);
  if (connectionId === undefined || reader === null) throw new Error("there is nothing to search in");
  const { graph } = await new GraphBuilder(database).build(connectionId);
  const source = { connectionId, graph, texts: await texts.open(connectionId, graph.columns.ids) };
  const services: JobServices = {
    db: database.read,
    monotonic: () => performance.now(),
    lastContext: new LastContext(),
    withTexts: (_sources, work) => reader.snapshot(work),
  };
  return {
    gatherBy: (job) => async (wording, maxTokens) => {
      const request = {
        query: wording,
        also: null,
        about: null,
        maxChars: maxTokens * charsPerToken,
      };
      const { markdown, items } = await job(services, [source], request);
      return { text: markdown, pages: items.map(({ node }) => graph.nodeAt(node).id) };
    },
    async close() {
      await reader.close();
      await texts.close();
      await database.close();
    },
  };
}

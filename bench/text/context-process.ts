import { join } from "node:path";
import { findCandidates, questionWords } from "@clew/context";
import { parseQuery } from "@clew/text-index";
import { Graphs } from "../../packages/server/src/graphs/graphs.ts";
import { contextJob } from "../../packages/server/src/queries/context-job.ts";
import type { JobServices, Source } from "../../packages/server/src/queries/jobs.ts";
import { LastContext } from "../../packages/server/src/queries/last-context.ts";
import { findTexts } from "../../packages/server/src/queries/text-job.ts";
import { openDatabase } from "../../packages/server/src/store/database.ts";
import { findConnection } from "../../packages/server/src/store/queries/connections.ts";
import { type ReadText, saveContents } from "../../packages/server/src/store/queries/graph-pages.ts";
import { residentBytes, tell, time } from "../graph/measure.ts";
import { ClewIndex } from "./clew-index.ts";
import { exactCpuMs } from "./cpu.ts";
import { seedOfTexts, someQuestions } from "./queries.ts";
import { pageOf } from "./texts.ts";

// Measures contexts (GRAPH-22) over a graph of bench/graph and a text index of this folder, whose pages are taken for the
// nodes of the graph in the order of ids. Of the texts it stores only those that the questions need.
const [path = "", folder = "", size = "1000"] = process.argv.slice(2);
const pages = Number(size);
const database = await openDatabase({ location: { kind: "sqlite", path } });
const connection = await findConnection(database.read, 1);
const index = await ClewIndex.open({ kind: "sqlite", path: join(folder, "clew.db") }, pages);
if (connection === null || index === null) throw new Error("there is no graph or no index");
const { graph } = await new Graphs({ database, clock: Date.now }).current(connection);
const texts = { storeId: "", revision: 1, indexed: 1, segments: index.segments };
const sources: readonly Source[] = [{ connectionId: 1, graph, texts }];
const services: JobServices = {
  db: database.read,
  lastContext: new LastContext(),
  monotonic: () => performance.now(),
  withTexts: (_, work) => index.snapshot(work),
};
const memoryBytes = await residentBytes();

/** Words of a question as people ask it, and with those that agents add. */
const lengths = [4, 16];

const stored = new Set<number>();
const timings: Record<string, unknown> = {};
for (const words of lengths) {
  const measured = someQuestions(seedOfTexts, pages, words, 1);
  const warmUp = someQuestions(seedOfTexts, pages, words, 2);
  for (const question of [...measured, ...warmUp]) await storeTexts(index, question);
  for (const maxChars of [16_000, 100_000]) {
    const ask = (query: string) =>
      contextJob({ ...services, lastContext: new LastContext() }, sources, {
        query,
        also: null,
        about: null,
        maxChars,
      });
    const name = `context of ${maxChars} characters for ${words} words`;
    timings[name] = await time({ measured, warmUp }, ask, exactCpuMs);
  }
}
await index.close();
await database.close();
tell({ memoryBytes, storedTexts: stored.size, timings });

/** Stores the texts of the pages that are candidates for a question. */
async function storeTexts(of: ClewIndex, question: string): Promise<void> {
  const query = parseQuery(question);
  if (query === null) throw new Error(`no word in ${question}`);
  const { found } = await findTexts(services, sources, {
    query: questionWords(query),
    sort: "relevance",
    order: "desc",
    limit: 200,
    within: [{ filter: {}, after: null }],
  });
  const hits = found.map(({ source, page: { node, relevance } }) => ({ source, node, relevance }));
  const nodes = findCandidates([graph], { found: hits, about: null, named: [] }).map(({ node }) => node);
  const missing = nodes.filter((node) => !stored.has(node));
  for (const node of missing) stored.add(node);
  const contents = missing.map((node): [string, ReadText] => {
    const { markdown } = pageOf(seedOfTexts, of.pageAt(node));
    return [graph.nodeAt(node).id, { markdown, references: [], state: "ready" }];
  });
  await database.transaction((trx) => saveContents(trx, 1, new Map(contents)));
}

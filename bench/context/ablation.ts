import { registerHooks } from "node:module";
import type { ContextRequest } from "@clew/context";
import { GraphBuilder } from "../../packages/server/src/graphs/builder.ts";
import type { DatabaseLocation } from "../../packages/server/src/model/database-location.ts";
import type { JobServices } from "../../packages/server/src/queries/jobs.ts";
import { openDatabase, openTextReader } from "../../packages/server/src/store/database.ts";
import { connectionIds } from "../../packages/server/src/store/queries/connections.ts";
import { TextIndex } from "../../packages/server/src/texts/text-index.ts";
import { budgets, charsPerToken, type Question, recallsOf } from "./questions.ts";

/** A change to a line of packages/context that leaves one part of the ranking out. */
interface Change {
  readonly file: string;
  readonly line: string;
  readonly changed: string;
}

const constant = (file: string, name: string, value: number, changed = 0): Change => ({
  file: `${file}.ts`,
  line: `const ${name} = ${value};`,
  changed: `const ${name} = ${changed};`,
});

/** The parts that are left out in turn. */
const changes: Readonly<Record<string, Change | null>> = {
  "as it is": null,
  "without related words": constant("word-matching", "relatedShare", 0.5),
  "without neighbouring passages": constant("scores", "neighborWeight", 0.6),
  "without sections": constant("scores", "sectionWeight", 0.5),
  "without headings": constant("scores", "headingWeight", 0.2),
  "without the title": constant("scores", "titleWeight", 0.3),
  "without words around links": constant("scores", "linkingWeight", 0.5),
  "without the page's rank": constant("scores", "pageWeight", 0.65),
  "without links in the page's rank": constant("candidates", "linkShare", 0.8),
  "without the whole of a page": constant("scores", "wholePageShare", 0.5),
  "with words of conversation": {
    file: "question.ts",
    line: "const wanted = isTopical;",
    changed: "const wanted = isTelling;",
  },
  "with copies of pages": constant("passages", "commonShare", 0.6, 2),
  "code like other text": constant("scores", "codePenalty", 0.5),
  "rows like other text": constant("scores", "rowPenalty", 0.3),
};

const ranking = new URL("../../packages/context/src/", import.meta.url).href;
const parameter = "?ablation=";

/*
 * Loads the job once more for each change, with a copy of packages/context in which the line is changed: a module that
 * is imported with the parameter passes it on to the modules of the ranking.
 */
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const [, name] = context.parentURL?.split(parameter) ?? [];
    return name !== undefined && resolved.url.startsWith(ranking)
      ? { ...resolved, url: `${resolved.url}${parameter}${name}` }
      : resolved;
  },
  load(url, context, next) {
    const [address = "", name = ""] = url.split(parameter);
    const loaded = next(address, context);
    const change = changes[decodeURIComponent(name)];
    if (!change || address !== ranking + change.file) return loaded;
    const source = String(loaded.source);
    if (!source.includes(change.line)) throw new Error(`${change.file} has no line "${change.line}"`);
    return { ...loaded, source: source.replace(change.line, change.changed) };
  },
});

type ContextJob = typeof import("../../packages/server/src/queries/context-job.ts").contextJob;

async function jobWith(name: string): Promise<ContextJob> {
  const job = `../../packages/server/src/queries/context-job.ts${parameter}${encodeURIComponent(name)}`;
  return ((await import(job)) as { contextJob: ContextJob }).contextJob;
}

/** Prints the recall of contexts with each part of the ranking left out, and what a call takes of the processor. */
export async function printAblation(
  location: DatabaseLocation,
  questions: readonly Question[],
): Promise<void> {
  const contexts = await openContexts(location);
  try {
    for (const name of Object.keys(changes)) {
      const job = await jobWith(name);
      const start = process.cpuUsage();
      const recalls = await recallsOf(questions, ({ question }, tokens) =>
        contexts.markdownOf(job, {
          query: question,
          also: null,
          about: null,
          maxChars: tokens * charsPerToken,
        }),
      );
      const { user, system } = process.cpuUsage(start);
      const callMs = (user + system) / 1000 / budgets.length / questions.length;
      console.log(`${recalls.join(", ")} of ${questions.length}; ${callMs.toFixed(0)} ms a call: ${name}`);
    }
  } finally {
    await contexts.close();
  }
}

/** Runs the job on the first connection of a database that is being served. */
async function openContexts(location: DatabaseLocation) {
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
    withTexts: (_sources, work) => reader.snapshot(work),
  };
  return {
    markdownOf: async (job: ContextJob, request: ContextRequest) =>
      (await job(services, [source], request)).markdown,
    async close() {
      await reader.close();
      await texts.close();
      await database.close();
    },
  };
}

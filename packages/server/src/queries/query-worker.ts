import { workerData } from "node:worker_threads";
import { Graph, type GraphColumns } from "@clew/graph";
import type { BlockStore } from "@clew/text-index";
import { answerCalls, ThreadError } from "@clew/threads";
import type { DatabaseLocation } from "../model/database-location.ts";
import { openReader, openTextReader } from "../store/database.ts";
import type { TextReader } from "../store/port.ts";
import { noSnapshot, type TextSnapshot } from "../texts/text-snapshots.ts";
import { errorsOf } from "../threads/errors.ts";
import { contextJob } from "./context-job.ts";
import { folderMapJob, type JobServices, linkMapJob, outlineJob, type Source } from "./jobs.ts";
import { LastContext } from "./last-context.ts";
import { rowsJob } from "./rows-job.ts";
import { textJob } from "./text-job.ts";

// A thread that runs one job after the other. It opens the databases for reading only.

const jobs = {
  text: textJob,
  context: contextJob,
  outline: outlineJob,
  folderMap: folderMapJob,
  linkMap: linkMapJob,
  rows: rowsJob,
};

type Jobs = typeof jobs;
export type JobName = keyof Jobs;
export type JobInput<Name extends JobName> = Parameters<Jobs[Name]>[2];
export type JobResult<Name extends JobName> = Awaited<ReturnType<Jobs[Name]>>;

/** A graph as it is sent: its data only if the thread does not have them yet. */
export interface SentSource {
  readonly connectionId: number;
  readonly key: number;
  readonly columns: GraphColumns | null;
  readonly texts: TextSnapshot | null;
}

export interface QueryCall {
  readonly name: JobName;
  readonly input: unknown;
  readonly sources: readonly SentSource[];
  /** Graphs that are not needed any more. */
  readonly forget: readonly number[];
}

/** `QueryThread` starts this thread with the database's location. */
const location = workerData as DatabaseLocation;
const database = await openReader(location);
const held = new Map<number, { readonly graph: Graph; texts: TextSnapshot }>();
/** The text index, as long as it is the one that jobs are about. */
let opened: { readonly storeId: string; readonly reader: TextReader } | null = null;

/** Texts come with the first job that needs them. */
function receive({ connectionId, key, columns, texts }: SentSource): Source {
  let source = held.get(key);
  if (source === undefined && columns !== null) {
    source = { graph: new Graph(columns), texts: noSnapshot };
    held.set(key, source);
  }
  if (source === undefined) throw new ThreadError("failed", "a graph was not sent");
  if (texts !== null) source.texts = texts;
  return { connectionId, ...source };
}

async function textReader(storeId: string): Promise<TextReader> {
  if (opened?.storeId === storeId) return opened.reader;
  await opened?.reader.close();
  opened = null;
  const reader = await openTextReader(location);
  if (reader === null) throw new ThreadError("stale", "there is no text index");
  opened = { storeId, reader };
  return reader;
}

const services: JobServices = {
  db: database.read,
  monotonic: () => performance.now(),
  lastContext: new LastContext(),
  async withTexts(sources, work) {
    const { storeId } = sources.find(({ texts }) => texts.segments.length > 0)?.texts ?? { storeId: null };
    if (storeId === null) return work(nothing);
    const reader = await textReader(storeId);
    return reader.snapshot(async (view) => {
      const segments = sources.flatMap(({ texts }) => texts.segments.map(({ id }) => id));
      const isCurrent = sources.every(
        ({ texts }) => texts.segments.length === 0 || texts.storeId === view.storeId,
      );
      if (!isCurrent || !(await view.hasSegments(segments)))
        throw new ThreadError("stale", "a part of the text index was replaced");
      return work(view);
    });
  },
};

/** The text index if nothing is indexed. */
const nothing: BlockStore = {
  lookup: async (keys) => keys.map(() => null),
  ranges: async (ranges) => ranges.map(() => []),
  covering: async (ranges) => ranges.map(() => []),
  parts: async (ranges) => ranges.map(() => []),
  rows: async (keys) => keys.map(() => null),
  async *scan() {},
  async *scanRows() {},
};

answerCalls(async ({ name, input, sources, forget }: QueryCall) => {
  for (const key of forget) held.delete(key);
  if (forget.length > 0) services.lastContext.clear();
  const received = sources.map(receive);
  // `QueryThreads.run` pairs names with inputs.
  const job = jobs[name] as (
    services: JobServices,
    sources: readonly Source[],
    input: unknown,
  ) => Promise<unknown>;
  return job(services, received, input);
}, errorsOf(database));

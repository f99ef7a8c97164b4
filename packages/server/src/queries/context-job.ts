import {
  type BuiltContext,
  type ContextForm,
  type ContextQuestion,
  type GatheredContext,
  gatherContext,
} from "@clew/context";
import { leftOut, notReadWhole, visibleText } from "../model/visible-text.ts";
import { presentLink } from "../present/values.ts";
import { readSearchedPage } from "../store/queries/page-texts.ts";
import type { JobServices, Source } from "./jobs.ts";
import { findTexts } from "./text-job.ts";

/** Builds a context from graphs, the text index and the stored texts (GRAPH-22). */
export async function contextJob(
  services: JobServices,
  sources: readonly Source[],
  { query, also, about, ...form }: ContextQuestion & ContextForm,
): Promise<BuiltContext> {
  const read = sources.flatMap(({ graph, texts }) => [graph, texts]);
  const of = [query, also, about?.source, about?.node, sources.length, ...read];
  const gathered = await services.lastContext.take(of, services.monotonic(), () =>
    gather(services, sources, { query, also, about }),
  );
  return gathered.pack(form);
}

function gather(
  services: JobServices,
  sources: readonly Source[],
  question: ContextQuestion,
): Promise<GatheredContext> {
  return gatherContext(
    {
      graphs: sources.map(({ graph }) => graph),
      async search(query, limit) {
        const within = sources.map(() => ({ filter: {}, after: null }));
        const wanted = { query, sort: "relevance", order: "desc", limit, within } as const;
        const { found, ...outcome } = await findTexts(services, sources, wanted);
        return {
          found: found.map(({ source, page: { node, relevance } }) => ({ source, node, relevance })),
          ...outcome,
        };
      },
      readPage({ source, node }) {
        const { graph, connectionId } = sources[source] as Source;
        return readSearchedPage(services.db, connectionId, graph.nodeAt(node).id);
      },
      shownUrl: presentLink,
      visible: visibleText,
      hiddenNote: leftOut,
      truncatedNote: notReadWhole,
    },
    question,
  );
}

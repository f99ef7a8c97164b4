import { type BuiltContext, buildContext, type ContextRequest } from "@clew/context";
import { leftOut, visibleText } from "../model/visible-text.ts";
import { presentLink } from "../present/values.ts";
import { readSearchedPage } from "../store/queries/page-texts.ts";
import type { JobServices, Source } from "./jobs.ts";
import { findTexts } from "./text-job.ts";

/** Gathers a context from graphs, the text index and the stored texts (GRAPH-22). */
export function contextJob(
  services: JobServices,
  sources: readonly Source[],
  request: ContextRequest,
): Promise<BuiltContext> {
  return buildContext(
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
    },
    request,
  );
}

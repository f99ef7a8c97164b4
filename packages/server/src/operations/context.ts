import type { Explanation } from "@clew/context";
import { type Context, type ContextExplanation, type ContextQuery, graphLimits } from "@clew/contract";
import { connectionsWithin, currentGraphs, type ReadableGraph } from "../graphs/readable.ts";
import { ApiError } from "../model/api-error.ts";
import { countTokens } from "../model/tokens.ts";
import { presentName, presentNode } from "../present/graph.ts";
import type { TextSnapshot } from "../texts/text-snapshots.ts";
import { fitContext } from "./context-fitting.ts";
import { locate, readNodeInQuery } from "./nodes.ts";
import { type RequestContext, readableConnectionsOf } from "./request-context.ts";
import { indexedShare, readTextQuery } from "./texts.ts";
import { runJob } from "./thread-jobs.ts";

/** The passages that answer a question, or that surround a page, within `max_chars` and `max_tokens` (GRAPH-22). */
export async function contextWithin(
  ctx: RequestContext,
  { max_tokens: maxTokens, ...request }: ContextQuery,
): Promise<Context> {
  if (maxTokens === undefined) return context(ctx, request);
  const { max_chars: maxChars = graphLimits.context.maximumChars } = request;
  const read = (chars: number) => context(ctx, { ...request, max_chars: Math.min(chars, maxChars) });
  const tokensOf = ({ markdown }: Context) => countTokens(markdown);
  const fitting = await fitContext(maxTokens, read, tokensOf);
  const found = fitting?.found ?? (await read(graphLimits.context.minimumChars));
  return { ...found, tokens: fitting?.tokens ?? tokensOf(found) };
}

/** The same within `max_chars` alone. */
export async function context(
  ctx: RequestContext,
  request: Omit<ContextQuery, "max_tokens">,
): Promise<Context> {
  const { q, also, id, workspace_id, explain = false } = request;
  const { max_chars: maxChars = graphLimits.context.standardChars } = request;
  if (q === undefined && id === undefined)
    throw new ApiError("invalid_request", "A context needs a question or a page.", {
      errors: [{ path: "?q", message: "must be given unless id is" }],
    });
  const query = q === undefined ? null : readTextQuery(q);
  const words = also === undefined ? null : readAlso(also, query);
  const wanted = id === undefined ? null : await readNodeInQuery(ctx, "id", id);
  const connections = connectionsWithin(readableConnectionsOf(ctx), workspace_id);
  const readable = await currentGraphs(ctx.services.graphs, connections);
  const asked = wanted === null ? null : locate(readable, wanted);
  // Without a question only the page's own graph is of interest.
  const sources = query === null && asked !== null ? [asked.source] : readable;
  const about = asked && {
    source: sources.indexOf(asked.source),
    node: asked.source.graph.indexOf(asked.node.id),
  };
  let searched: readonly TextSnapshot[] = [];
  const found = await runJob(ctx, "context", sources, (texts) => {
    searched = texts;
    return { query, also: words, about, maxChars, explain };
  });
  return {
    markdown: found.markdown,
    items: found.items.flatMap(({ source: index, node, why, via, passages, explanation }) => {
      const source = sources[index];
      if (source === undefined) return [];
      return {
        node: presentNode(source, source.graph.nodeAt(node)),
        why,
        via: nameOf(source, via),
        passages: passages.map(({ headings, ...place }) => ({ ...place, headings: [...headings] })),
        ...(explanation && { explanation: presentExplanation(source, explanation) }),
      };
    }),
    unanswered: [...found.unanswered],
    omitted: {
      count: found.omitted.count,
      items: found.omitted.best.flatMap(({ source: index, node }) => {
        const source = sources[index];
        return source === undefined ? [] : [presentName(source.graph.nodeAt(node))];
      }),
    },
    indexed: indexedShare(sources, searched),
    truncated: found.truncated,
  };
}

const nameOf = ({ graph }: Pick<ReadableGraph, "graph">, node: number | null) =>
  node === null ? null : presentName(graph.nodeAt(node));

function presentExplanation(
  source: ReadableGraph,
  { via, passages, ...rest }: Explanation,
): ContextExplanation {
  return {
    ...rest,
    via: nameOf(source, via),
    passages: passages.map(({ words, ...passage }) => ({ ...passage, words: [...words] })),
  };
}

/** The words that the answer may have. Throws `ApiError` `invalid_request` if there are too many, or no question. */
function readAlso(text: string, query: string | null): string {
  const refused = (detail: string, message: string) =>
    new ApiError("invalid_request", detail, { errors: [{ path: "?also", message }] });
  const also = readTextQuery(text, "also");
  if (query === null) throw refused("Words that the answer may have need a question.", "must come with q");
  const { alsoWords } = graphLimits.context;
  if (also.split(/[\s,]+/).length > alsoWords)
    throw refused(
      `There may be ${alsoWords} words that the answer may have.`,
      `must have at most ${alsoWords} words`,
    );
  return also;
}

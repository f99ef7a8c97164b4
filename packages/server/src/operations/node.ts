import { graphLimits, type NodeDetail } from "@clew/contract";
import type { GraphNode } from "@clew/graph";
import { type Awaitable, whenThere } from "../model/awaitable.ts";
import { presentNodeDetail } from "../present/node-detail.ts";
import { readNodeDetail, type NodeDetail as StoredDetail } from "../store/queries/graph-reading.ts";
import { AnswerRoom, firstThat, sizeOfName, sizeOfValue } from "./answer-size.ts";
import { nodeAmong, nodeNotFound, readNodeId } from "./node-ids.ts";
import { currentGraphsFor, type RequestContext } from "./request-context.ts";

/** One node in detail (GRAPH-4). */
export function node(ctx: RequestContext, about: { readonly id: string }): Awaitable<NodeDetail> {
  const { database, responses } = ctx.services;
  const id = readNodeId(about.id);
  return whenThere(currentGraphsFor(ctx), (readable) => {
    const placed = nodeAmong(readable, id);
    const { connection, version } = placed.source;
    // The answer is the same until something is committed or another graph is published.
    const cacheKey = `node ${connection.id} ${version} ${id} ${database.memory.version()}`;
    return responses.remember(cacheKey, async () => {
      const detail = await readNodeDetail(database.read, connection.id, id);
      // A sync may have removed the node since its graph was published.
      if (detail === null) throw nodeNotFound(id);
      const { shown, breadcrumb, truncated } = fitted(detail, placed.source.graph.breadcrumb(id));
      return { message: presentNodeDetail(placed, shown, breadcrumb, truncated), isRepeatable: true };
    });
  });
}

/** A quarter of an answer is for ancestors, as much for references, and the rest for properties and the node itself. */
const share = graphLimits.answerBytes / 4;

/** As much of a node's detail as fits an answer: the nearest ancestors, the first references, properties that fit. */
function fitted(detail: StoredDetail, ancestors: readonly GraphNode[]) {
  const rooms = {
    ancestors: new AnswerRoom(share),
    references: new AnswerRoom(share),
    properties: new AnswerRoom(share),
  };
  const nearest = firstThat(ancestors.toReversed(), ({ title }) => rooms.ancestors.takes(sizeOfName(title)));
  const unresolved = firstThat(detail.unresolved, ({ name }) => rooms.references.takes(sizeOfName(name)));
  const all = Object.entries(detail.properties);
  const properties = all.filter(([name, value]) => rooms.properties.takes(sizeOfValue(name, value)));
  const truncated =
    nearest.length < ancestors.length ||
    unresolved.length < detail.unresolved.length ||
    properties.length < all.length;
  const shown = truncated
    ? { ...detail, unresolved: [...unresolved], properties: Object.fromEntries(properties) }
    : detail;
  return { shown, breadcrumb: nearest.toReversed(), truncated };
}

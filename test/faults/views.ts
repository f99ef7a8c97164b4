import type { Graph } from "./world.ts";

type Thread = Graph["threads"][number];

/** What is stored of one node: what it says of itself, and its text. */
export interface NodeView {
  readonly node: Graph["nodes"][number];
  /** Null where none was read yet. */
  readonly markdown: string | null;
  readonly propertyThreads: readonly Thread[];
  readonly textThreads: readonly Thread[];
}

/** A graph, node by node. */
export function viewsOf(graph: Graph): Map<string, NodeView> {
  const texts = new Map(graph.texts.map(({ id, markdown }) => [id, markdown]));
  const threads = Map.groupBy(graph.threads, ({ id }) => id);
  const threadsOf = (id: string, source: Thread["source"]) =>
    (threads.get(id) ?? []).filter((thread) => thread.source === source);
  return new Map(
    graph.nodes.map((node) => [
      node.id,
      {
        node,
        markdown: texts.get(node.id) ?? null,
        propertyThreads: threadsOf(node.id, "properties"),
        textThreads: threadsOf(node.id, "text"),
      },
    ]),
  );
}

/** What a node says of itself, so that it can be compared. What `denied` names cannot be known. */
export function factsOf({ node, propertyThreads }: NodeView, denied: ReadonlySet<string>): string {
  const { contentState, contentError, unsettled, parent, ...facts } = node;
  const place = node.containerId !== null && denied.has(node.containerId) ? null : parent;
  return JSON.stringify({ ...facts, place, threads: known(propertyThreads, denied) });
}

/** A node's text and what it leads to, so that it can be compared. */
export function textOf({ node, markdown, textThreads }: NodeView, denied: ReadonlySet<string>): string {
  const { contentState, contentError } = node;
  return JSON.stringify({ contentState, contentError, markdown, threads: known(textThreads, denied) });
}

function known(threads: readonly Thread[], denied: ReadonlySet<string>): readonly Thread[] {
  return threads.filter(({ to }) => !denied.has(to));
}

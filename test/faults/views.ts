import type { Graph } from "./world.ts";

type Reference = Graph["references"][number];

/** A stored node: its facts and its text. */
export interface NodeView {
  readonly node: Graph["nodes"][number];
  /** Null if it was not read yet. */
  readonly markdown: string | null;
  readonly propertyReferences: readonly Reference[];
  readonly textReferences: readonly Reference[];
}

/** A graph, node by node. */
export function viewsOf(graph: Graph): Map<string, NodeView> {
  const texts = new Map(graph.texts.map(({ id, markdown }) => [id, markdown]));
  const references = Map.groupBy(graph.references, ({ id }) => id);
  const referencesOf = (id: string, source: Reference["source"]) =>
    (references.get(id) ?? []).filter((reference) => reference.source === source);
  return new Map(
    graph.nodes.map((node) => [
      node.id,
      {
        node,
        markdown: texts.get(node.id) ?? null,
        propertyReferences: referencesOf(node.id, "properties"),
        textReferences: referencesOf(node.id, "text"),
      },
    ]),
  );
}

/** A node's own facts in comparable form, without those that depend on denied nodes. */
export function factsOf({ node, propertyReferences }: NodeView, denied: ReadonlySet<string>): string {
  const { contentState, contentError, unsettled, parent, ...facts } = node;
  const place = node.containerId !== null && denied.has(node.containerId) ? null : parent;
  return JSON.stringify({ ...facts, place, references: known(propertyReferences, denied) });
}

/** A node's text and references in comparable form. */
export function textOf({ node, markdown, textReferences }: NodeView, denied: ReadonlySet<string>): string {
  const { contentState, contentError } = node;
  return JSON.stringify({ contentState, contentError, markdown, references: known(textReferences, denied) });
}

function known(references: readonly Reference[], denied: ReadonlySet<string>): readonly Reference[] {
  return references.filter(({ to }) => !denied.has(to));
}

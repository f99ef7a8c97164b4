import { uuidOf } from "@clew/text/basics";
import type { Graph } from "./world.ts";

type Reference = Graph["references"][number];

/** A stored node: its facts and its text. */
export interface NodeView {
  readonly node: Graph["nodes"][number];
  /** Null if it was not read yet. */
  readonly markdown: string | null;
  /** The same without the titles that it shows of other nodes. */
  readonly words: string | null;
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
    graph.nodes.map((node) => {
      const markdown = texts.get(node.id) ?? null;
      return [
        node.id,
        {
          node,
          markdown,
          words: markdown?.replaceAll(shownTitle, "$1$5") ?? null,
          propertyReferences: referencesOf(node.id, "properties"),
          textReferences: referencesOf(node.id, "text"),
        },
      ];
    }),
  );
}

/** A title between two tags, with the address of its page. */
const shownTitle =
  /(<(page|database|mention-page|mention-database) url="[^"]*?([0-9a-f]{32})"[^>]*>)(.*?)(<\/\2>)/g;

/** The titles that a text shows of other nodes, by their ids. */
export function titlesIn({ markdown }: NodeView): (readonly [id: string, title: string])[] {
  return [...(markdown ?? "").matchAll(shownTitle)].map(([, , , hex = "", title = ""]) => [
    uuidOf(hex),
    title,
  ]);
}

/** A node's own facts in comparable form, without those that depend on denied nodes. */
export function factsOf({ node, propertyReferences }: NodeView, denied: ReadonlySet<string>): string {
  const { contentState, contentError, unsettled, parent, ...facts } = node;
  const place = node.containerId !== null && denied.has(node.containerId) ? null : parent;
  return JSON.stringify({ ...facts, place, references: known(propertyReferences, denied) });
}

/** A node's text and references in comparable form, without titles of other nodes. */
export function textOf({ node, words, textReferences }: NodeView, denied: ReadonlySet<string>): string {
  const { contentState, contentError } = node;
  return JSON.stringify({ contentState, contentError, words, references: known(textReferences, denied) });
}

function known(references: readonly Reference[], denied: ReadonlySet<string>): readonly Reference[] {
  return references.filter(({ to }) => !denied.has(to));
}

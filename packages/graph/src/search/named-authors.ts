import { fold } from "@clew/text/basics";
import type { Graph } from "../graph.ts";
import type { Author } from "../node.ts";

/**
 * The authors whom a text names: by id, or by name, in which case and accents do not matter; if none has this name, those whose
 * name contains all of its words.
 */
export function authorsNamed(graph: Graph, text: string): readonly Author[] {
  const { authors } = graph.columns.nodes;
  const byId = authors.filter(({ id }) => id === text.toLowerCase());
  if (byId.length > 0) return byId;
  const wanted = wordsOf(text);
  if (wanted.length === 0) return [];
  const named = authors.filter(({ name }) => name !== null && wordsOf(name).join(" ") === wanted.join(" "));
  if (named.length > 0) return named;
  return authors.filter(({ name }) => {
    const words = wordsOf(name ?? "");
    return wanted.every((word) => words.includes(word));
  });
}

const wordsOf = (text: string): readonly string[] => fold(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Whether a node was made or last edited by one of the authors whom a text names. */
export function authorTest(graph: Graph, text: string): (node: number) => boolean {
  const { authors, creators, editors } = graph.columns.nodes;
  const named = new Set(authorsNamed(graph, text));
  const wanted = new Set(authors.flatMap((author, number) => (named.has(author) ? number : [])));
  const isWanted = (number: number | undefined) => number !== undefined && wanted.has(number);
  return (node) => isWanted(creators[node]) || isWanted(editors[node]);
}

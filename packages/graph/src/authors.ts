import { fold } from "@clew/text/basics";
import type { Graph } from "./graph.ts";
import { type TextRows, textsIn } from "./text-column.ts";

/** A person, group or program at the provider, as the author of pages. */
export interface Author {
  /** The provider's id. */
  readonly id: string;
  /** Null if the provider does not disclose it. */
  readonly name: string | null;
}

/** Who made and who last edited the nodes of a graph. */
export interface AuthorColumns {
  readonly authors: readonly Author[];
  /** Of each node, an index into `authors`, or `noAuthor`; empty if no node has any. */
  readonly creators: Uint32Array;
  readonly editors: Uint32Array;
}

/** The index of an author who is not known. */
export const noAuthor = 0xffff_ffff;

/** Numbers the ids of authors in the order in which nodes name them. */
export class AuthorNumbers {
  readonly #numbers = new Map<string, number>();

  /** The numbers of a batch of ids; null is `noAuthor`. */
  numbersOf(ids: TextRows): Uint32Array {
    return Uint32Array.from(textsIn(ids), (id) => {
      if (id === null) return noAuthor;
      const number = this.#numbers.get(id) ?? this.#numbers.size;
      this.#numbers.set(id, number);
      return number;
    });
  }

  /** The authors by their numbers, with the names that are known. */
  authors(named: Iterable<Author>): readonly Author[] {
    const names = new Map(Array.from(named, ({ id, name }) => [id, name]));
    return [...this.#numbers.keys()].map((id) => ({ id, name: names.get(id) ?? null }));
  }
}

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

/** The members of a node that say who made it and who last edited it; none for those who are not known. */
export function authorsOf(
  { authors, creators, editors }: AuthorColumns,
  node: number,
): { createdBy?: Author; editedBy?: Author } {
  const [createdBy, editedBy] = [creators, editors].map((column) => authors[column[node] ?? noAuthor]);
  return { ...(createdBy && { createdBy }), ...(editedBy && { editedBy }) };
}

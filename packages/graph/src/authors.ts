import type { Author } from "./node.ts";
import { type TextRows, textsIn } from "./text-column.ts";

/** Who made and who last edited the nodes of a graph. */
export interface AuthorColumns {
  readonly authors: readonly Author[];
  /** Of each node, an index into `authors`, or `noAuthor`; empty if no node has any. */
  readonly creators: Uint32Array;
  readonly editors: Uint32Array;
}

/** The index of an author who is not known. */
const noAuthor = 0xffff_ffff;

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

/** The members of a node that say who made it and who last edited it; none for those who are not known. */
export function authorsOf(
  { authors, creators, editors }: AuthorColumns,
  node: number,
): { createdBy?: Author; editedBy?: Author } {
  const [createdBy, editedBy] = [creators, editors].map((column) => authors[column[node] ?? noAuthor]);
  return { ...(createdBy && { createdBy }), ...(editedBy && { editedBy }) };
}

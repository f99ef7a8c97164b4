import { graphLimits } from "@clew/contract";
import type { GraphEdge, GraphNode } from "@clew/graph";

/*
 * What parts of an answer take up as JSON, at most. Any one character of a text may be written as `\u0000`, so these are
 * several times what they usually are: only texts of absurd length ever fill an answer.
 */

const sizeOfText = (text: string | null) => 6 * (text?.length ?? 0) + 2;

export function sizeOfNode({ title, icon, url }: Pick<GraphNode, "title" | "icon" | "url">): number {
  return 600 + sizeOfText(title) + sizeOfText(icon) + sizeOfText(url);
}

export function sizeOfEdge({ name }: Pick<GraphEdge, "name">): number {
  return 200 + sizeOfText(name);
}

/** For breadcrumbs and references: an id and a name. */
export function sizeOfName(name: string | null): number {
  return 150 + sizeOfText(name);
}

export function sizeOfValue(name: string, value: unknown): number {
  // As it is written: it was JSON already.
  return sizeOfText(name) + Buffer.byteLength(JSON.stringify(value)) + 2;
}

/** What stands in an answer beside its parts: the node that it is about, a cursor, fields. */
const sizeOfRest = 256 * 1024;

/** The room that an answer has left for parts whose number has no bound. */
export class AnswerRoom {
  #left: number;

  constructor(bytes: number = graphLimits.answerBytes - sizeOfRest) {
    this.#left = bytes;
  }

  /** Whether a part of that size still has its place, which it then takes up. */
  takes(size: number): boolean {
    if (size > this.#left) return false;
    this.#left -= size;
    return true;
  }
}

/** The items before the first that fails a test. */
export function firstThat<Item>(items: readonly Item[], passes: (item: Item) => boolean): readonly Item[] {
  const end = items.findIndex((item) => !passes(item));
  return end < 0 ? items : items.slice(0, end);
}

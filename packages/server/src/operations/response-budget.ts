import { graphLimits } from "@clew/contract";
import type { GraphEdge, GraphNode } from "@clew/graph";

/*
 * Upper bounds in bytes of the size of response parts as JSON. Any character may be written as `\u0000`, so they
 * are several times the usual size: only texts of absurd length ever fill a response.
 */

const sizeOfText = (text: string | null) => 6 * (text?.length ?? 0) + 2;

export function sizeOfNode({ title, icon, url }: Pick<GraphNode, "title" | "icon" | "url">): number {
  return 600 + sizeOfText(title) + sizeOfText(icon) + sizeOfText(url);
}

export function sizeOfEdge({ name }: Pick<GraphEdge, "name">): number {
  return 200 + sizeOfText(name);
}

/** The most that the excerpts of an edge take. */
export const excerptsBytes =
  graphLimits.excerpts.maximum * (6 * graphLimits.excerpts.chars + 10 * graphLimits.excerpts.marks + 70);

/** For breadcrumbs and references: an id and a name. */
export function sizeOfName(name: string | null): number {
  return 150 + sizeOfText(name);
}

/** A property, whose value is JSON already. */
export function sizeOfValue(name: string, value: unknown): number {
  return sizeOfText(name) + Buffer.byteLength(JSON.stringify(value)) + 2;
}

/** Reserved for everything but the parts: the node itself, a cursor, other fields. */
const bytesBesideParts = 256 * 1024;

/** The bytes that a response has left for parts whose number is not bounded (LIM-3). */
export class ResponseBudget {
  #left: number;

  constructor(bytes: number = graphLimits.answerBytes - bytesBesideParts) {
    this.#left = bytes;
  }

  /** Takes `size` bytes and returns true, if that many are left. */
  take(size: number): boolean {
    if (size > this.#left) return false;
    this.#left -= size;
    return true;
  }
}

/** The items before the first that fails a test. */
export function takeWhile<Item>(items: readonly Item[], passes: (item: Item) => boolean): readonly Item[] {
  const end = items.findIndex((item) => !passes(item));
  return end < 0 ? items : items.slice(0, end);
}

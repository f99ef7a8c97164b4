import { at, firstPosition } from "./columns.ts";
import type { NodeId } from "./node.ts";
import { idAt, type NodeIds, undashedIdAt, wordsPerId } from "./node-ids.ts";
import { sortByNumbers } from "./radix-sort.ts";

/** The fewest digits by which a node can be looked up: the last word of its id. */
const digitsOfWord = 8;

/** A graph's nodes in the order of the last eight digits of their ids. */
export function orderByEnding(ids: NodeIds): Uint32Array {
  const count = ids.length / wordsPerId;
  const nodes = new Uint32Array(count).map((_, node) => node);
  return sortByNumbers(
    nodes,
    nodes.map((node) => lastWord(ids, node)),
    "ascending",
  );
}

/** The ids that end in these digits: eight to 32 hexadecimal ones, in lower case. `order` is that of `orderByEnding`. */
export function idsEndingIn(ids: NodeIds, order: Uint32Array, digits: string): NodeId[] {
  if (!/^[0-9a-f]{8,32}$/.test(digits)) return [];
  const word = Number.parseInt(digits.slice(-digitsOfWord), 16);
  const found: NodeId[] = [];
  const first = firstPosition(order, (node) => lastWord(ids, node) >= word);
  for (let rank = first; rank < order.length; rank += 1) {
    const node = at(order, rank);
    if (lastWord(ids, node) !== word) break;
    if (digits.length === digitsOfWord || undashedIdAt(ids, node).endsWith(digits))
      found.push(idAt(ids, node));
  }
  return found;
}

const lastWord = (ids: NodeIds, node: number): number => at(ids, node * wordsPerId + wordsPerId - 1);

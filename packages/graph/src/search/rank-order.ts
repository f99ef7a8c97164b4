import { identityOrder, type Order, sortRows } from "../counting-sort.ts";

/**
 * The nodes in the order of a ranking within one kind of match (GRAPH-2): the higher degree first, then the later
 * update, then the lesser id. Sorted digit by digit, the least significant one first.
 */
export function rankOrder(
  degrees: { readonly in: Uint32Array; readonly out: Uint32Array },
  updatedAt: Float64Array,
): Order {
  const { length } = updatedAt;
  const [low, high] = [new Uint32Array(length), new Uint32Array(length)];
  const bits = new DataView(new ArrayBuffer(8));
  updatedAt.forEach((time, node) => {
    bits.setFloat64(0, time);
    // The bits of numbers from 0 on ascend with them; those of negative ones descend.
    low[node] = time < 0 ? bits.getUint32(4) : ~bits.getUint32(4);
    high[node] = time < 0 ? bits.getUint32(0) : ~bits.getUint32(0) & 0x7fff_ffff;
  });
  const degree = degrees.in.map((count, node) => ~(count + (degrees.out[node] ?? 0)));
  return [low, high, degree].reduce(sortByHalves, identityOrder(length));
}

function sortByHalves(order: Order, keys: Uint32Array): Order {
  const byLowHalf = sortRows(
    order,
    keys.map((key) => key & 0xffff),
    0x1_0000,
  );
  return sortRows(
    byLowHalf,
    keys.map((key) => key >>> 16),
    0x1_0000,
  );
}

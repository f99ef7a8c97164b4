import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { RankSet, SetPool } from "./rank-set.ts";

const capacity = 5000;
/** A few anywhere, or nearly all of some hundreds side by side. */
const arbitraryRanks = fc.oneof(
  fc.uniqueArray(fc.nat({ max: capacity - 1 })),
  fc
    .record({ first: fc.nat({ max: 3000 }), length: fc.nat({ max: 1500 }), but: fc.nat({ max: 1500 }) })
    .map(({ first, length, but }) =>
      Array.from({ length }, (_, rank) => first + rank).filter((rank) => rank !== first + but),
    ),
);

function setOf(pool: SetPool, ranks: readonly number[]): RankSet {
  const set = pool.take(capacity);
  set.addAll(Uint32Array.from(ranks), 0, ranks.length);
  return set;
}

function ranksFrom(set: RankSet, without: RankSet, start: number): number[] {
  const ranks: number[] = [];
  for (let rank = set.next(start, without); rank >= 0; rank = set.next(rank + 1, without)) ranks.push(rank);
  return ranks;
}

test("GRAPH-2: sets of ranks are combined and iterated as sets are", () => {
  const pool = new SetPool();
  fc.assert(
    fc.property(arbitraryRanks, arbitraryRanks, fc.nat({ max: 5100 }), (some, others, start) => {
      pool.reset();
      const [a, b, none] = [setOf(pool, some), setOf(pool, others), pool.take(capacity)];
      const inOrder = (ranks: Iterable<number>) => [...ranks].sort((one, other) => one - other);
      const [inA, inB] = [new Set(some), new Set(others)];
      assert.deepEqual(
        ranksFrom(a, b, start),
        inOrder(inA.difference(inB)).filter((rank) => rank >= start),
      );
      assert.equal(a.sizeUpTo(capacity), inA.size);
      assert.equal(a.sizeUpTo(3) > 3, inA.size > 3);
      const [union, common, even] = [pool.copy(a), pool.copy(a), pool.copy(a)];
      union.unite(b);
      common.intersect(b);
      even.filter((rank) => rank % 2 === 0);
      assert.deepEqual(ranksFrom(union, none, 0), inOrder(inA.union(inB)));
      assert.deepEqual(ranksFrom(common, none, 0), inOrder(inA.intersection(inB)));
      assert.deepEqual(
        ranksFrom(even, none, 0),
        inOrder(inA).filter((rank) => rank % 2 === 0),
      );
    }),
  );
});

test("GRAPH-2: a set of a smaller graph that takes the memory of a larger one is empty at first", () => {
  const pool = new SetPool();
  setOf(pool, [0, 31, 4999]);
  pool.reset();
  const small = pool.take(64);
  assert.equal(small.sizeUpTo(64), 0);
  const copy = new RankSet(64);
  small.addAll(Uint32Array.of(3, 63), 0, 2);
  copy.unite(small);
  assert.deepEqual(ranksFrom(copy, pool.take(64), 0), [3, 63]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { RankSet } from "./rank-set.ts";
import { SetPool } from "./set-pool.ts";

const placeCount = 5000;
/** A few anywhere, or nearly all of some hundreds that lie together. */
const arbitraryPlaces = fc.oneof(
  fc.uniqueArray(fc.nat({ max: placeCount - 1 })),
  fc
    .record({ first: fc.nat({ max: 3000 }), length: fc.nat({ max: 1500 }), but: fc.nat({ max: 1500 }) })
    .map(({ first, length, but }) =>
      Array.from({ length }, (_, place) => first + place).filter((place) => place !== first + but),
    ),
);

function setOf(pool: SetPool, places: readonly number[]): RankSet {
  const set = pool.take(placeCount);
  for (const place of places) set.add(place);
  return set;
}

function placesFrom(set: RankSet, without: RankSet, start: number): number[] {
  const places: number[] = [];
  for (let place = set.next(start, without); place >= 0; place = set.next(place + 1, without))
    places.push(place);
  return places;
}

test("GRAPH-2: sets of places are combined and read as sets are", () => {
  const pool = new SetPool();
  fc.assert(
    fc.property(arbitraryPlaces, arbitraryPlaces, fc.nat({ max: 5100 }), (some, others, start) => {
      pool.reset();
      const [a, b, none] = [setOf(pool, some), setOf(pool, others), pool.take(placeCount)];
      const inOrder = (places: Iterable<number>) => [...places].sort((one, other) => one - other);
      const [inA, inB] = [new Set(some), new Set(others)];
      assert.deepEqual(
        placesFrom(a, b, start),
        inOrder(inA.difference(inB)).filter((place) => place >= start),
      );
      assert.equal(a.sizeUpTo(placeCount), inA.size);
      assert.equal(a.sizeUpTo(3) > 3, inA.size > 3);
      const [union, common, even] = [pool.copy(a), pool.copy(a), pool.copy(a)];
      union.unite(b);
      common.intersect(b);
      even.filter((place) => place % 2 === 0);
      assert.deepEqual(placesFrom(union, none, 0), inOrder(inA.union(inB)));
      assert.deepEqual(placesFrom(common, none, 0), inOrder(inA.intersection(inB)));
      assert.deepEqual(
        placesFrom(even, none, 0),
        inOrder(inA).filter((place) => place % 2 === 0),
      );
    }),
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { add, filter, intersect, nextPlace, type PlaceSet, sizeUpTo, unite } from "./place-set.ts";
import { SetPool } from "./set-pool.ts";

const placeCount = 100;
const arbitraryPlaces = fc.uniqueArray(fc.nat({ max: placeCount - 1 }));

function setOf(pool: SetPool, places: readonly number[]): PlaceSet {
  const set = pool.take(placeCount);
  for (const place of places) add(set, place);
  return set;
}

function placesFrom(set: PlaceSet, without: PlaceSet, start: number): number[] {
  const place = nextPlace(set, without, start);
  return place < 0 ? [] : [place, ...placesFrom(set, without, place + 1)];
}

test("GRAPH-2: sets of places are combined and read as sets are", () => {
  const pool = new SetPool();
  fc.assert(
    fc.property(arbitraryPlaces, arbitraryPlaces, fc.nat({ max: 130 }), (some, others, start) => {
      pool.reset();
      const [a, b, none] = [setOf(pool, some), setOf(pool, others), pool.take(placeCount)];
      const inOrder = (places: Iterable<number>) => [...places].sort((one, other) => one - other);
      const [inA, inB] = [new Set(some), new Set(others)];
      assert.deepEqual(
        placesFrom(a, b, start),
        inOrder(inA.difference(inB)).filter((place) => place >= start),
      );
      assert.equal(sizeUpTo(a, placeCount), inA.size);
      assert.equal(sizeUpTo(a, 3) > 3, inA.size > 3);
      const [union, common, even] = [pool.copy(a), pool.copy(a), pool.copy(a)];
      unite(union, b);
      intersect(common, b);
      filter(even, (place) => place % 2 === 0);
      assert.deepEqual(placesFrom(union, none, 0), inOrder(inA.union(inB)));
      assert.deepEqual(placesFrom(common, none, 0), inOrder(inA.intersection(inB)));
      assert.deepEqual(
        placesFrom(even, none, 0),
        inOrder(inA).filter((place) => place % 2 === 0),
      );
    }),
  );
});

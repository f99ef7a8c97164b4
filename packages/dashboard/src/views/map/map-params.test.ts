import assert from "node:assert/strict";
import { test } from "node:test";
import { onlyOf, placeOf, placeText, readMapSearch } from "./map-params.ts";

test("GRAPH-30: the URL of the map keeps what is valid, and leaves out the rest", () => {
  const search = {
    workspace: "w",
    by: "folder",
    at: "0.5,0.25,2",
    page: "p",
    to: "q",
    colour: "stale",
    only: "3,5",
    q: "moon",
    view: "table",
  };
  assert.deepEqual(readMapSearch(search), search);
  // The router reads a number for a word of digits.
  assert.deepEqual(readMapSearch({ q: 42, only: 3 }), { q: "42", only: "3" });
  assert.deepEqual(
    readMapSearch({ by: "link", at: "here", colour: "red", only: "x", q: " ", view: 1, page: null }),
    {},
  );
});

test("GRAPH-30: a place is the same whether the window is wide or high", () => {
  const place = { x: 0.5, y: 0.25, zoom: 2 };
  for (const isTransposed of [false, true]) {
    const at = placeText(place, isTransposed);
    assert.deepEqual(placeOf({ at }, isTransposed), place);
  }
  assert.deepEqual(placeOf({ at: placeText(place, true) }, false), { x: 0.25, y: 0.5, zoom: 2 });
  assert.equal(placeOf({}, false), null);
  assert.equal(placeOf({ at: "1,2" }, false), null);
  assert.deepEqual(onlyOf({ only: "3,5" }), [3, 5]);
  assert.deepEqual(onlyOf({}), []);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { isTitleOf, markedPieces } from "./marked-pieces.ts";

test("GRAPH-28: marks are ranges of code points", () => {
  assert.deepEqual(
    markedPieces("🧵 thread", [
      [0, 1],
      [2, 8],
    ]),
    [
      { text: "🧵", isMarked: true },
      { text: " ", isMarked: false },
      { text: "thread", isMarked: true },
    ],
  );
  assert.deepEqual(markedPieces("plain", []), [{ text: "plain", isMarked: false }]);
});

test("GRAPH-24: a sentence that is only the title of a page is known, whatever its case and signs", () => {
  const page = { title: "🗂️ Zettelkasten 101" };
  assert.equal(isTitleOf(page, "zettelkasten 101."), true);
  assert.equal(isTitleOf(page, "See Zettelkasten 101"), false);
  assert.equal(isTitleOf({ title: "🗂️" }, "…"), false);
});

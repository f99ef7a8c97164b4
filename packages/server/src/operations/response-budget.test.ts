import assert from "node:assert/strict";
import { test } from "node:test";
import { graphLimits } from "@clew/contract";
import {
  excerptsBytes,
  ResponseBudget,
  sizeOfEdge,
  sizeOfName,
  sizeOfNode,
  sizeOfValue,
  takeWhile,
} from "./response-budget.ts";

/** Of characters that take most as JSON: six bytes each. */
const longest = (length: number) => "\u0001".repeat(length);
const id = "11111111-1111-4111-8111-111111111111";

test("LIM-3: no part of a response is larger than it is counted for", () => {
  const { maximum, chars, marks } = graphLimits.excerpts;
  const excerpt = {
    offset: 10_000_000,
    text: longest(chars),
    marks: Array.from({ length: marks }, () => [chars, chars]),
  };
  const excerpts = `"excerpts":${JSON.stringify(Array.from({ length: maximum }, () => excerpt))},`;
  assert.ok(excerpts.length <= excerptsBytes, `${excerpts.length} of ${excerptsBytes}`);
  for (const length of [0, 1, 2_000]) {
    const title = longest(length);
    const largest = 4_294_967_295;
    const time = "2026-01-02T03:04:05.006Z";
    const node = JSON.stringify({
      ...{ id, workspace_id: id, type: "database", title, icon: title, url: title, parent_id: id },
      ...{ created_at: time, updated_at: time, degree: { in: largest, out: largest } },
    });
    assert.ok(node.length <= sizeOfNode({ title, icon: title, url: title }));
    const edge = JSON.stringify({ from: id, to: id, type: "relation", name: title, count: largest });
    assert.ok(edge.length <= sizeOfEdge({ name: title }));
    const name = JSON.stringify({ id, title });
    assert.ok(name.length <= sizeOfName(title));
    const value = `${JSON.stringify(longest(length))}:${JSON.stringify(["é", 1])},`;
    assert.ok(Buffer.byteLength(value) <= sizeOfValue(longest(length), ["é", 1]));
  }
});

test("LIM-3: a budget gives what it has left, to the byte, and a refusal takes nothing", () => {
  const budget = new ResponseBudget(10);
  assert.deepEqual(
    [4, 7, 6, 1, 0].map((size) => budget.take(size)),
    [true, false, true, false, true],
  );
  const atFirst = new ResponseBudget();
  assert.equal(
    atFirst.take(graphLimits.answerBytes - 200_000),
    false,
    "some is kept for what is not counted",
  );
  assert.equal(atFirst.take(graphLimits.answerBytes / 2), true);
});

test("LIM-3: a list ends before the first item that does not fit", () => {
  const items = [1, 2, 3, 1];
  assert.deepEqual(
    takeWhile(items, (item) => item < 3),
    [1, 2],
  );
  assert.equal(
    takeWhile(items, () => true),
    items,
  );
  assert.deepEqual(
    takeWhile(items, () => false),
    [],
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Placed, shortBreadcrumb } from "./place.ts";

const shortened = (titles: string, isCut = false) => {
  const breadcrumb = [...titles].map((title) => ({ id: title, title }));
  const item = { node: {} as Placed["node"], breadcrumb, ...(isCut && { breadcrumb_truncated: true }) };
  return shortBreadcrumb(item)
    .map((above) => above?.title ?? "…")
    .join("");
};

test("GRAPH-19: a long breadcrumb is shown without its middle, and a root that is not known is not claimed", () => {
  assert.deepEqual(
    ["", "a", "abcd", "abcde", "abcdefgh"].map((titles) => shortened(titles)),
    ["", "a", "abcd", "a…de", "a…gh"],
  );
  assert.equal(shortened("bcde", true), "…de");
});

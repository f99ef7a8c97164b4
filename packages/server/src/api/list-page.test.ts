import assert from "node:assert/strict";
import { test } from "node:test";
import { nextLink } from "./list-page.ts";

test("GRAPH-12: the Link to the next page keeps the path and all parameters", () => {
  assert.equal(
    nextLink("/base/api/v1/search?q=a%20b%26c&cursor=old&limit=2&type=page", "cursor", "new"),
    '</base/api/v1/search?q=a+b%26c&cursor=new&limit=2&type=page>; rel="next"',
  );
  assert.equal(
    nextLink("/api/v1/nodes/x/content/", "offset", "7"),
    '</api/v1/nodes/x/content/?offset=7>; rel="next"',
  );
});

test("GRAPH-12: no character in the URL ends the Link early", () => {
  assert.equal(
    nextLink('/api/v1/search/?q=>;"<', "cursor", "new"),
    '</api/v1/search/?q=%3E%3B%22%3C&cursor=new>; rel="next"',
  );
});

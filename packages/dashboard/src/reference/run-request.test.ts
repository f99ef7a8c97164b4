import assert from "node:assert/strict";
import { test } from "node:test";
import { requestUrl } from "./run-request.ts";

const clew = new URL("https://clew.example.org/below/");
const path = "/api/v1/nodes/{id}/rows/";
const urlOf = (id: string) => requestUrl(clew, path, [{ name: "id", in: "path", value: id }])?.href;

test("a request is below the path of PUBLIC_URL, and its values are encoded", () => {
  const given = [
    { name: "id", in: "path", value: "a b" },
    { name: "where", in: "query", value: "Status = Open & new" },
    { name: "where", in: "query", value: "Due < +7d" },
  ];
  const url = requestUrl(clew, path, given);
  assert.equal(url?.pathname, "/below/api/v1/nodes/a%20b/rows/");
  assert.deepEqual(url.searchParams.getAll("where"), ["Status = Open & new", "Due < +7d"]);
});

test("no value leads to another path or another host", () => {
  for (const id of ["", ".", ".."]) assert.equal(urlOf(id), undefined, id);
  for (const id of [
    "../../../auth/me",
    "//evil.example",
    "https://evil.example/",
    "%2e%2e",
    "a?b#c",
    "\\..\\..",
  ]) {
    const url = new URL(urlOf(id) ?? "");
    assert.equal(url.origin, clew.origin);
    assert.match(url.pathname, /^\/below\/api\/v1\/nodes\/[^/]+\/rows\/$/);
  }
});

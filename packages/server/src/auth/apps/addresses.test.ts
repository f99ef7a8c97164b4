import assert from "node:assert/strict";
import { test } from "node:test";
import { reachedUrl, readResource } from "./addresses.ts";

const at = (url: string) => ({ publicUrl: new URL(url) });
const reached = (host: string) => ({ host, hostname: host.replace(/:\d+$/, "") });

test("APP-1: a client knows Clew by PUBLIC_URL, and on loopback by the name and port that it used", () => {
  const away = at("https://clew.example/base/");
  for (const host of ["clew.example", "other.example", "localhost:8420"])
    assert.equal(reachedUrl(away, reached(host)), "https://clew.example/base");
  const here = at("http://127.0.0.1:8420/");
  assert.equal(reachedUrl(here, reached("localhost:9000")), "http://localhost:9000");
  assert.equal(reachedUrl(here, reached("other.example")), "http://127.0.0.1:8420");
});

test("APP-5: a resource is named by its own address, without credentials and fragment", () => {
  const config = at("https://clew.example/base");
  const read = (text: string) => readResource(config, text, "clew.example");
  assert.equal(read("https://clew.example/base/api/v1/mcp"), "mcp");
  assert.equal(read("https://clew.example/base/api/v1/mcp/?query"), "mcp");
  assert.equal(read("https://clew.example/base/api/v1"), "v1");
  for (const wrong of [
    ...["", "mcp", "https://clew.example/base", "https://clew.example/api/v1/mcp"],
    ...["https://other.example/base/api/v1/mcp", "http://clew.example/base/api/v1/mcp"],
    ...["https://me@clew.example/base/api/v1/mcp", "https://:secret@clew.example/base/api/v1/mcp"],
    ...["https://me:secret@clew.example/base/api/v1/mcp", "https://clew.example/base/api/v1/mcp#part"],
  ])
    assert.equal(read(wrong), null, wrong);
});

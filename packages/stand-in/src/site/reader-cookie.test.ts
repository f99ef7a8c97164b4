import assert from "node:assert/strict";
import { test } from "node:test";
import { createReaderCookie } from "./reader-cookie.ts";

const week = 7 * 24 * 60 * 60_000;

/** Reader cookies of one site, and the cookie that a browser would send back. */
function site({ key = 1, secure = false, path = "/demo/pages" } = {}) {
  let now = 1_800_000_000_000;
  const readers = createReaderCookie({
    key: new Uint8Array(32).fill(key),
    clock: () => now,
    path,
    secure,
  });
  return {
    ...readers,
    sentBack: () => readers.issue().split(";")[0] ?? "",
    advance(milliseconds: number) {
      now += milliseconds;
    },
  };
}

test("a reader cookie is valid for seven days, and only for the key that signed it", () => {
  const { sentBack, isIn, advance } = site();
  const cookie = sentBack();
  assert.ok(isIn(cookie));
  assert.ok(!site({ key: 2 }).isIn(cookie));
  assert.ok(!isIn(undefined));
  advance(week - 1);
  assert.ok(isIn(cookie));
  advance(1);
  assert.ok(!isIn(cookie));
});

test("a reader cookie is for the pages' path alone, and over https marked as secure", () => {
  const attributes = (issued: string) => issued.split("; ").slice(1);
  assert.deepEqual(attributes(site({ path: "/tools/demo/pages" }).issue()), [
    "Max-Age=604800",
    "Path=/tools/demo/pages",
    "HttpOnly",
    "SameSite=Lax",
  ]);
  const secure = site({ secure: true });
  assert.match(secure.issue(), /^__Secure-clew_demo_.*; Secure$/);
  assert.ok(secure.isIn(secure.sentBack()));
  assert.ok(!site().isIn(secure.sentBack()), "over https another name is used");
});

test("two installations on one host keep their cookies apart", () => {
  const [one, other] = [site({ key: 1 }), site({ key: 2 })];
  const both = `${one.sentBack()}; ${other.sentBack()}`;
  assert.ok(one.isIn(both) && other.isIn(both));
});

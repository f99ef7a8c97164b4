import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCookies, setCookie } from "./cookies.ts";

test("cookies are read by name, the first of a doubled name counts, and what is no pair is skipped", () => {
  const cookies = parseCookies(" a=1; b=x=y ;a=2;; flag ; =nameless; c=");
  assert.deepEqual(
    [...cookies],
    [
      ["a", "1"],
      ["b", "x=y"],
      ["c", ""],
    ],
  );
  assert.equal(parseCookies(undefined).size, 0);
});

test("SIGN-2: an https cookie is Secure, for the whole host, and without Domain, as __Host- asks", () => {
  const cookie = { name: "__Host-n", value: "v", maxAge: 600, sameSite: "Lax", httpOnly: true } as const;
  assert.equal(
    setCookie({ ...cookie, secure: true }),
    "__Host-n=v; Path=/; Max-Age=600; HttpOnly; Secure; SameSite=Lax",
  );
  assert.equal(
    setCookie({ ...cookie, name: "n", secure: false, httpOnly: false, sameSite: "Strict" }),
    "n=v; Path=/; Max-Age=600; SameSite=Strict",
  );
});

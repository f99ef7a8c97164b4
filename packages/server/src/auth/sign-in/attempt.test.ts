import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCookie } from "cookie";
import { attemptCookie, attemptCookieName, forgetOldAttempts, hashSecret } from "./attempt.ts";

const attempts = (count: number, https: boolean) =>
  Array.from({ length: count }, (_, i) => attemptCookieName(hashSecret(`state ${i}`), https));

test("SIGN-2: each attempt has its own HttpOnly cookie, valid for ten minutes", () => {
  const [first, second] = attempts(2, false);
  assert.ok(first && second && first !== second);
  assert.equal(
    attemptCookie(first, "secret", false),
    `${first}=secret; Max-Age=600; Path=/; HttpOnly; SameSite=Lax`,
  );
});

test("SIGN-2: if PUBLIC_URL is https the cookie is __Host- and Secure", () => {
  const [name = ""] = attempts(1, true);
  assert.match(name, /^__Host-clew_sign_in_[\w-]{16}$/);
  assert.match(attemptCookie(name, "secret", true), /; Path=\/; .*; Secure; /);
});

test("SIGN-2: the ninth attempt of a browser deletes only the oldest", () => {
  const names = attempts(9, false);
  const header = ["theme=dark", ...names.map((name) => `${name}=secret`)].join("; ");
  assert.deepEqual(
    forgetOldAttempts(parseCookie(header), false),
    names.slice(0, 2).map((name) => `${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`),
  );
  const few = names
    .slice(0, 7)
    .map((name) => `${name}=secret`)
    .join("; ");
  assert.deepEqual(forgetOldAttempts(parseCookie(few), false), []);
});

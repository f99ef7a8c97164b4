import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCookie } from "cookie";
import { BrowserCookies, hashSecret } from "./browser-cookies.ts";

const cookiesAt = (address: string) =>
  new BrowserCookies({ name: "clew_sign_in", lifetimeMs: 600_000, publicUrl: new URL(address) });
const plain = cookiesAt("http://localhost:8420");

/** The names of the cookies of attempts. */
const attempts = (count: number) =>
  Array.from({ length: count }, (_, i) => plain.end(hashSecret(`state ${i}`)).split("=")[0] ?? "");

test("SIGN-2: each attempt has its own HttpOnly cookie, valid for ten minutes", () => {
  const [first, second] = attempts(2);
  assert.ok(first && second && first !== second);
  assert.deepEqual(plain.begin(hashSecret("state 0"), "secret", {}), [
    `${first}=secret; Max-Age=600; Path=/; HttpOnly; SameSite=Lax`,
  ]);
  assert.equal(plain.secretFor(hashSecret("state 0"), { [first]: "secret", [second]: "other" }), "secret");
});

test("SIGN-2: if PUBLIC_URL is https the cookie is __Host- and Secure", () => {
  const [cookie = ""] = cookiesAt("https://clew.example").begin(hashSecret("state"), "secret", {});
  assert.match(cookie, /^__Host-clew_sign_in_[\w-]{16}=secret; .*Path=\/; .*; Secure; /);
});

test("SIGN-2: the ninth attempt of a browser deletes only the oldest", () => {
  const names = attempts(9);
  const header = ["theme=dark", ...names.map((name) => `${name}=secret`)].join("; ");
  assert.deepEqual(
    plain.begin(hashSecret("a new state"), "secret", parseCookie(header)).slice(0, -1),
    names.slice(0, 2).map((name) => `${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`),
  );
  const few = names.slice(0, 7).map((name) => `${name}=secret`);
  assert.equal(plain.begin(hashSecret("a new state"), "secret", parseCookie(few.join("; "))).length, 1);
});

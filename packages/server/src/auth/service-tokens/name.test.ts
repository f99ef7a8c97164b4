import assert from "node:assert/strict";
import { test } from "node:test";
import { nameFaults, trimName } from "./name.ts";

const messages = (name: string) => nameFaults(name).map(({ message }) => message);

test("TOK-3: a name has 1 to 100 characters after trimming", () => {
  assert.deepEqual(nameFaults("x"), []);
  assert.deepEqual(nameFaults("x".repeat(100)), []);
  assert.deepEqual(nameFaults(`  ${"x".repeat(100)}\n`), []);
  assert.deepEqual(nameFaults("x".repeat(101)), [
    { path: "/name", message: "must have up to 100 characters" },
  ]);
  for (const blank of ["", " ", "\t\n ", "\u00a0\u3000\ufeff"])
    assert.deepEqual(messages(blank), ["must not be blank"]);
});

test("TOK-3: the characters of a name are code points, not UTF-16 units", () => {
  assert.deepEqual(nameFaults("🧶".repeat(100)), []);
  assert.deepEqual(messages("🧶".repeat(101)), ["must have up to 100 characters"]);
});

test("TOK-3: a name may be in any script, but holds no invisible characters and no half of a pair", () => {
  for (const name of ["Fil d'Ariane", "アリアドネの糸", "خيط", "👩‍👩‍👧 family", "می‌خواهم"])
    assert.deepEqual(nameFaults(name), []);
  const message = "must consist of visible characters, without";
  for (const [name, character] of [
    ["a\0b", "U+0000"],
    ["a\nb", "U+000A"],
    ["a\u007fb", "U+007F"],
    ["a\u0085b", "U+0085"],
    ["a\u001b[31mb", "U+001B"],
    ["gnp.\u202eexe", "U+202E"],
    ["a\u200bb", "U+200B"],
    ["\u2066a\u2069", "U+2066, U+2069"],
  ] as const) {
    assert.deepEqual(messages(name), [`${message} ${character}`], JSON.stringify(name));
  }
  for (const name of ["\u200b\u2060", "\u3164", "\u200d"])
    assert.equal(messages(name)[0], "must not be blank", JSON.stringify(name));
  for (const name of ["a\ud800", "\udc00b"])
    assert.deepEqual(messages(name), ["must hold no unpaired surrogates"]);
});

test("TOK-5: a name's faults are listed together", () => {
  assert.equal(nameFaults(`${"x".repeat(100)}\0\ud800`).length, 3);
});

test("TOK-3: white space around a name is not part of it", () => {
  assert.equal(trimName(" \tnightly export \n"), "nightly export");
});

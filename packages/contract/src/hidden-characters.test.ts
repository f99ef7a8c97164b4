import assert from "node:assert/strict";
import { test } from "node:test";
import { hasVisibleCharacter, invisibleCharacters, withInvisibleEscaped } from "./hidden-characters.ts";

test("TOK-3: control and format characters, line separators, fillers and stray selectors are invisible", () => {
  const unseen = [0, 0x1b, 0x7f, 0x85, 0xad, 0x34f, 0x61c, 0x115f, 0x200b, 0x200e, 0x2028, 0x202e, 0x2060]
    .concat([0x2066, 0x2067, 0x2068, 0x2069, 0x2800, 0x3164, 0xfeff, 0xe0001, 0xe0041])
    .map((code) => String.fromCodePoint(code));
  for (const character of unseen) {
    const name = `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`;
    assert.deepEqual(invisibleCharacters(`a${character}b${character}`), [name]);
    assert.equal(withInvisibleEscaped(`a${character}b`), `a<${name}>b`);
    assert.equal(hasVisibleCharacter(` ${character}`), false, name);
  }
});

test("TOK-3: joiners, selectors and tags between visible characters are accepted", () => {
  for (const text of [
    "👩‍👩‍👧 family",
    "👩🏽‍🚀",
    "👁️‍🗨️",
    "❤️‍🔥 1️⃣",
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "می‌خواهم",
    "र्‍य",
    "Ünïcödé à la carte",
    "خيط",
    "אב",
  ]) {
    assert.deepEqual(invisibleCharacters(text), [], text);
    assert.equal(withInvisibleEscaped(text), text);
    assert.ok(hasVisibleCharacter(text), text);
  }
});

test("TOK-3: a joiner or selector that joins nothing is invisible", () => {
  for (const text of [
    "\u200da",
    "a\u200d",
    "a\u200d\u200db",
    "a \u200c b",
    "\ufe0fa",
    "a \ufe0f",
    "\u{e0067}\u{e007f}",
  ])
    assert.notDeepEqual(invisibleCharacters(text), [], JSON.stringify(text));
});

test("TOK-3: spaces and lone accents do not count as visible", () => {
  for (const text of ["", " ", "\u00a0", "\u3000", "\u0301"]) assert.equal(hasVisibleCharacter(text), false);
});

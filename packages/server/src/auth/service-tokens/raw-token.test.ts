import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { test } from "node:test";
import { hashServiceToken, newServiceToken, prefixOf } from "./raw-token.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Serves every byte value in turn, so that what comes out shows exactly how bytes become characters. */
function everyByteInTurn() {
  let next = 0;
  return (size: number) => Uint8Array.from({ length: size }, () => next++ % 256);
}

test("TOK-2: a raw token is svc_ and 32 characters of A–Z a–z 0–9", () => {
  for (let i = 0; i < 200; i++) assert.match(newServiceToken(randomBytes), /^svc_[A-Za-z0-9]{32}$/);
});

test("TOK-2: every character comes from equally many byte values", () => {
  const random = everyByteInTurn();
  const counts = new Map<string, number>();
  // 248 of 256 byte values are used, 4 to a character: in 31 tokens, 992 characters, each stands 16 times.
  for (let i = 0; i < 31; i++) {
    for (const character of newServiceToken(random).slice(4)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
  }
  assert.deepEqual([...counts.keys()].toSorted(), [...alphabet].toSorted());
  assert.ok(
    [...counts.values()].every((count) => count >= 14 && count <= 18),
    [...counts].join(" "),
  );
});

test("TOK-2: bytes that would favour some characters are drawn again", () => {
  const draws = [new Uint8Array(32).fill(255), new Uint8Array(32).fill(248), new Uint8Array(32).fill(247)];
  const raw = newServiceToken(() => draws.shift() ?? assert.fail("drew once too often"));
  assert.equal(raw, `svc_${"9".repeat(32)}`);
});

test("TOK-2: no two tokens are alike", () => {
  const tokens = Array.from({ length: 1000 }, () => newServiceToken(randomBytes));
  assert.equal(new Set(tokens).size, tokens.length);
});

test("TOK-2: the prefix is the first 12 characters, the hash is SHA-256", () => {
  const raw = `svc_${"Ab3".repeat(11).slice(0, 32)}`;
  assert.equal(prefixOf(raw), "svc_Ab3Ab3Ab");
  assert.deepEqual(Buffer.from(hashServiceToken(raw), "base64"), createHash("sha256").update(raw).digest());
});

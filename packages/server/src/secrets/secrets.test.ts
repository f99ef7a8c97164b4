import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { createSecrets } from "./secrets.ts";

const key = new Uint8Array(32).fill(7);
const secrets = createSecrets(key, randomBytes);
const cannotOpen = { name: "SecretsError", code: "cannot_open" };

test("SIGN-8: an encrypted secret decrypts with the same key and context, after a restart too", () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.string(), (plain, context) => {
      const sealed = secrets.seal(plain, context);
      assert.deepEqual(createSecrets(key, randomBytes).open(sealed, context), plain);
    }),
  );
});

test("SIGN-8: an encrypted secret reveals nothing of the plain text and is never the same twice", () => {
  const plain = Buffer.from("ntn_secret-of-the-provider");
  const first = Buffer.from(secrets.seal(plain, "grant"));
  const second = Buffer.from(secrets.seal(plain, "grant"));
  assert.equal(first.includes(plain), false);
  assert.notDeepEqual(first, second);
  assert.equal(first[0], 1);
  assert.equal(first.length, 1 + 12 + plain.length + 16);
});

test("SIGN-8: another key decrypts nothing", () => {
  const sealed = secrets.seal(Buffer.from("secret"), "grant");
  const other = createSecrets(new Uint8Array(32).fill(8), randomBytes);
  assert.throws(() => other.open(sealed, "grant"), cannotOpen);
});

test("SIGN-8: one person's secret does not decrypt in another's context", () => {
  const sealed = secrets.seal(Buffer.from("secret"), "grant:user-1:workspace");
  assert.throws(() => secrets.open(sealed, "grant:user-2:workspace"), cannotOpen);
});

test("SIGN-8: a secret that is altered, truncated or extended is refused", () => {
  const sealed = secrets.seal(Buffer.from("secret"), "grant");
  for (let at = 0; at < sealed.length; at += 1) {
    const altered = Uint8Array.from(sealed, (byte, place) => (place === at ? byte ^ 1 : byte));
    assert.throws(() => secrets.open(altered, "grant"), cannotOpen, `byte ${at}`);
    assert.throws(() => secrets.open(sealed.subarray(0, at), "grant"), cannotOpen, `first ${at} bytes`);
  }
  assert.throws(() => secrets.open(Buffer.concat([sealed, sealed]), "grant"), cannotOpen);
});

test("SIGN-8: derived keys depend only on key and purpose", () => {
  const derived = secrets.deriveKey("cursor");
  assert.equal(derived.length, 32);
  assert.deepEqual(createSecrets(key, randomBytes).deriveKey("cursor"), derived);
  assert.notDeepEqual(secrets.deriveKey("other"), derived);
  assert.notDeepEqual(createSecrets(new Uint8Array(32), randomBytes).deriveKey("cursor"), derived);
});

test("SIGN-8: a key of another size is refused", () => {
  for (const size of [0, 16, 31, 33]) {
    assert.throws(() => createSecrets(new Uint8Array(size), randomBytes), { code: "invalid_key" });
  }
});

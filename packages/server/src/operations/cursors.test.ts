import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { ApiError } from "../model/api-error.ts";
import { createSecrets } from "../secrets/secrets.ts";
import { createCursorFactory } from "./cursors.ts";

/** Cursors of an installation, for lists that differ in one parameter. */
const withKey = (key: Uint8Array) => {
  const cursorsFor = createCursorFactory(createSecrets(key, randomBytes));
  const bound = (parameter: string) =>
    cursorsFor<unknown>({ list: "list", version: 1, parameters: [parameter] });
  return {
    cursorsFor,
    encode: (parameter: string, position: unknown) => bound(parameter).encode(position),
    decode: (parameter: string, cursor: string) => bound(parameter).decode(cursor),
  };
};

const cursors = withKey(randomBytes(32));

function refuses(cursor: string, binding = "binding", by: Pick<typeof cursors, "decode"> = cursors): void {
  assert.throws(
    () => by.decode(binding, cursor),
    (error) => error instanceof ApiError && error.code === "invalid_cursor",
    cursor,
  );
}

test("GRAPH-12: a cursor decodes to the position it was made from", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.jsonValue(), (binding, position) => {
      // Through JSON, which has no negative zero.
      const expected: unknown = JSON.parse(JSON.stringify(position));
      assert.deepEqual(cursors.decode(binding, cursors.encode(binding, position)), expected);
    }),
  );
});

test("GRAPH-12: a cursor that an earlier version made is read, since a client may keep it for months", () => {
  const { cursorsFor } = withKey(new Uint8Array(32).fill(7));
  const bound = cursorsFor({ list: "changes", version: 1, parameters: [null] });
  assert.deepEqual(bound.decode("3_Wkc_llzUGQ-GRG6wbV41tbMSw1LDUsNixudWxsXV0"), [[1, 5, 5, 6, null]]);
});

test("GRAPH-12: a cursor is safe in a URL as it is", () => {
  assert.match(cursors.encode("binding", { after: "ÿÿÿ>>>???" }), /^[A-Za-z0-9_-]+$/);
});

test("GRAPH-12: a cursor with any one bit altered is refused", () => {
  const bytes = Buffer.from(cursors.encode("binding", { edition: 7, after: ["exact", 3] }), "base64url");
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const altered = Buffer.from(bytes);
    altered.writeUInt8(altered.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    refuses(altered.toString("base64url"));
  }
});

test("GRAPH-12: a cursor with any one character replaced, added or left out is refused", () => {
  const cursor = cursors.encode("binding", { edition: 7 });
  for (let at = 0; at <= cursor.length; at += 1) {
    const [before, after] = [cursor.slice(0, at), cursor.slice(at)];
    for (const added of ["A", "-", "=", " ", "\n", ".", "é", "\0"]) refuses(before + added + after);
    if (at === cursor.length) continue;
    refuses(before + after.slice(1));
    for (const other of ["A", "B", "_", "="]) {
      if (after[0] !== other) refuses(before + other + after.slice(1));
    }
  }
});

test("GRAPH-12: another spelling of the same bytes is refused", () => {
  // A tag of 16 bytes and one byte of JSON end in a character with unused bits.
  const cursor = cursors.encode("binding", 7);
  const last = cursor.slice(-1);
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const sibling = cursor.slice(0, -1) + alphabet[alphabet.indexOf(last) + 1];
  assert.deepEqual(Buffer.from(sibling, "base64url"), Buffer.from(cursor, "base64url"));
  refuses(sibling);
  refuses(`${cursor}=`);
});

test("GRAPH-12: a cursor is refused under another binding", () => {
  const cursor = cursors.encode("binding", 7);
  for (const binding of ["", "Binding", "binding ", "bindin"]) refuses(cursor, binding);
});

test("GRAPH-12: a cursor of another list, or of an older format of the same list, is refused", () => {
  const list = { list: "search", version: 2, parameters: ["user", 7] };
  const cursor = cursors.cursorsFor<number>(list).encode(7);
  assert.equal(cursors.cursorsFor<number>(list).decode(cursor), 7);
  const others = [
    { ...list, list: "neighbors" },
    { ...list, version: 1 },
    { ...list, version: 3 },
    { ...list, parameters: ["user", "7"] },
    { ...list, parameters: ["user"] },
  ];
  for (const other of others) {
    const decode = (_: string, old: string) => cursors.cursorsFor(other).decode(old);
    refuses(cursor, JSON.stringify(other), { decode });
  }
});

test("GRAPH-12: text that was never a cursor is refused", () => {
  const short = Buffer.alloc(15).toString("base64url");
  for (const cursor of [
    "",
    "a",
    "null",
    short,
    Buffer.alloc(16).toString("base64url"),
    "%00",
    "ö".repeat(40),
  ])
    refuses(cursor);
});

test("GRAPH-12: a cursor of another installation is refused, one of another instance with the same key is accepted", () => {
  const key = randomBytes(32);
  const here = withKey(key);
  const beside = withKey(key);
  const cursor = here.encode("binding", { edition: 1 });
  assert.deepEqual(beside.decode("binding", cursor), { edition: 1 });
  refuses(cursor, "binding", cursors);
});

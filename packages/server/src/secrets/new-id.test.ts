import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { newId } from "./new-id.ts";

test("SESS-1: an id is a version 4 UUID, lower-case with dashes, made only from the random bytes", () => {
  const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  const ids = Array.from({ length: 200 }, () => newId(randomBytes));
  for (const id of ids) assert.match(id, uuid4);
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(
    newId((size) => new Uint8Array(size).fill(0xff)),
    "ffffffff-ffff-4fff-bfff-ffffffffffff",
  );
  assert.equal(
    newId((size) => new Uint8Array(size)),
    "00000000-0000-4000-8000-000000000000",
  );
});

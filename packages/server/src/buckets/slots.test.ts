import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { drawCredential } from "../auth/draw-credential.ts";
import { CredentialSlots } from "./slots.ts";

/** A hash in each slot: its first twelve bits are the slot's number. */
const slots = Array.from({ length: 4096 }, (_, slot) => Uint8Array.of(slot >> 4, (slot & 15) << 4));

const ownersOf = (buckets: number) => {
  const all = new CredentialSlots(buckets);
  return slots.map((each) => all.bucketOf(each));
};

test("OPS-13: each bucket has its share of the slots", () => {
  for (const buckets of [1, 2, 3, 8, 64]) {
    const counts = new Map<number, number>();
    for (const owner of ownersOf(buckets)) counts.set(owner, (counts.get(owner) ?? 0) + 1);
    assert.equal(counts.size, buckets);
    const share = slots.length / buckets;
    for (const count of counts.values())
      assert.ok(count > share * 0.6 && count < share * 1.5, `${count} of ${buckets}`);
  }
});

test("OPS-13: a bucket that is added takes slots from the others, and changes no others", () => {
  for (const buckets of [1, 2, 7]) {
    const [before, after] = [ownersOf(buckets), ownersOf(buckets + 1)];
    for (const [slot, owner] of after.entries())
      assert.ok(owner === before[slot] || owner === buckets + 1, `slot ${slot}`);
  }
});

test("OPS-13: a new credential is drawn until it leads to its bucket", () => {
  const all = new CredentialSlots(3);
  for (const bucket of [1, 2, 3]) {
    let drawn = 0;
    const draw = () => {
      drawn += 1;
      return `credential ${drawn} of ${bucket}`;
    };
    const owns = (credentialHash: Uint8Array) => all.bucketOf(credentialHash) === bucket;
    const found = drawCredential(draw, owns);
    assert.equal(all.bucketOf(hash("sha256", found, "buffer")), bucket);
    assert.equal(
      drawCredential(() => "the first", undefined),
      "the first",
    );
  }
});

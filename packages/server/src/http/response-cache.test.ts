import assert from "node:assert/strict";
import { test } from "node:test";
import { createResponseCache } from "./response-cache.ts";
import { writtenBody } from "./written-body.ts";

const mebibyte = 1024 * 1024;

/** A cache whose messages are counted as they are made, and written with so many bytes. */
function setUp(maximumBytes?: number) {
  const cache = createResponseCache(maximumBytes);
  let made = 0;
  const ask = async (cacheKey: string, { bytes = 10, isRepeatable = true, isWritten = true } = {}) => {
    const message = await cache.remember(cacheKey, () => {
      made += 1;
      return { message: { number: made }, isRepeatable };
    });
    if (isWritten) writtenBody(message, () => Buffer.alloc(bytes));
    return message.number;
  };
  return { cache, ask };
}

test("an answer is kept once the same was asked twice, and found by all that it follows from", async () => {
  const { ask } = setUp();
  const asked = [await ask("a"), await ask("a"), await ask("a"), await ask("b"), await ask("a")];
  assert.deepEqual(asked, [1, 2, 2, 3, 2]);
});

test("GRAPH-9: an answer that was cut is made anew the next time", async () => {
  const { cache, ask } = setUp();
  const cut = { isRepeatable: false };
  assert.deepEqual([await ask("a", cut), await ask("a", cut), await ask("a", cut)], [1, 2, 3]);
  assert.equal(cache.byteLength, 0);
});

test("an answer over 1 MiB is never kept, and one that was not written neither", async () => {
  const { cache, ask } = setUp();
  for (const options of [{ bytes: mebibyte + 1 }, { isWritten: false }]) {
    for (let round = 0; round < 4; round += 1) await ask("a", options);
    assert.equal(cache.byteLength, 0);
  }
  await ask("b", { bytes: mebibyte });
  await ask("b", { bytes: mebibyte });
  assert.ok(cache.byteLength > 2 * mebibyte);
});

test("answers are kept up to so many bytes, and the one that nobody has asked for longest goes first", async () => {
  const { cache, ask } = setUp(7000);
  const twice = async (cacheKey: string) => [
    await ask(cacheKey, { bytes: 1000 }),
    await ask(cacheKey, { bytes: 1000 }),
  ];
  await twice("a");
  await twice("b");
  assert.equal(await ask("a"), 2);
  await twice("c");
  assert.deepEqual([await ask("a"), await ask("c")], [2, 6]);
  assert.equal(await ask("b"), 7);
  assert.ok(cache.byteLength <= 7000);
});

test("a body is written once for a message that is kept", async () => {
  const { cache } = setUp();
  let written = 0;
  const write = () => {
    written += 1;
    return Buffer.from("body");
  };
  for (let round = 0; round < 5; round += 1) {
    const message = await cache.remember("a", () => ({ message: {}, isRepeatable: true }));
    assert.equal(String(writtenBody(message, write)), "body");
  }
  assert.equal(written, 2);
});

test("however long the questions are, no more than a digest of each is kept", async () => {
  const { cache, ask } = setUp();
  for (let round = 0; round < 3; round += 1) await ask("q".repeat(8 * mebibyte));
  assert.ok(cache.byteLength < 1000);
});

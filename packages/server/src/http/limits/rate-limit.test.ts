import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createRateLimit } from "./rate-limit.ts";

function setLimit(quota: number) {
  let now = Date.UTC(2031, 2, 4);
  const limit = createRateLimit({ name: "token", quota }, () => now);
  return {
    ...limit,
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

test("LIM-1: a key has its quota in each minute, whatever the other keys do", () => {
  const quota = 3;
  const step = fc.record({ key: fc.constantFrom("a", "b", "c"), pause: fc.nat(40_000) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { take, advance } = setLimit(quota);
      let now = 0;
      const windows = new Map<string, { endsAt: number; used: number }>();
      for (const { key, pause } of steps) {
        advance(pause);
        now += pause;
        const window = windows.get(key);
        const current = window && window.endsAt > now ? window : { endsAt: now + 60_000, used: 0 };
        windows.set(key, current);
        const allowed = current.used < quota;
        if (allowed) current.used += 1;
        const seconds = Math.ceil((current.endsAt - now) / 1000);
        assert.deepEqual(take(key), {
          allowed,
          fields: {
            "ratelimit-policy": `"token";q=3;w=60`,
            ratelimit: `"token";r=${quota - current.used};t=${seconds}`,
            ...(allowed ? {} : { "retry-after": String(seconds) }),
          },
        });
      }
    }),
  );
});

test("LIM-2: Retry-After is never 0, and after it the next request is served", () => {
  const { take, advance } = setLimit(1);
  take("a");
  advance(59_999);
  assert.equal(take("a").fields["retry-after"], "1");
  advance(1_000);
  assert.equal(take("a").allowed, true);
});

test("LIM-1: asking ahead counts nothing", () => {
  const { take, peek } = setLimit(1);
  for (let turn = 0; turn < 3; turn += 1) assert.equal(peek("a").allowed, true);
  assert.equal(take("a").allowed, true);
  assert.equal(peek("a").allowed, false);
});

test("LIM-1: 0 turns a limit off", () => {
  const { take, peek } = setLimit(0);
  for (let turn = 0; turn < 1_000; turn += 1) {
    assert.deepEqual(take("a"), { allowed: true, fields: {} });
    assert.deepEqual(peek("a"), { allowed: true, fields: {} });
  }
});

test("LIM-1: made-up keys cannot fill the memory: the keys used longest ago start over", () => {
  const { take, peek } = setLimit(1);
  take("first");
  for (let number = 0; number < 49_999; number += 1) take(`made-up ${number}`);
  assert.equal(peek("first").allowed, false);
  take("one more");
  assert.equal(peek("first").allowed, true);
  assert.equal(peek("made-up 0").allowed, false);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fastify } from "fastify";
import type { CacheSource } from "../../model/runtime.ts";
import { addressKey, createAddressLimit, createLimits, createRateLimit, refusalOf } from "./rate-limits.ts";

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

test("LIM-1: each key has its own quota in each minute", () => {
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

test("LIM-2: a refusal says how long to wait, in its text too, and closes the connection", async () => {
  const { take, advance } = setLimit(1);
  const app = fastify();
  app.get("/", async (_request, reply) => refusalOf(take("a"), reply)?.message ?? "served");
  const ask = async () => {
    const { body, headers } = await app.inject("/");
    return [body, headers.connection, headers["retry-after"], headers.ratelimit];
  };
  assert.deepEqual(await ask(), ["served", "keep-alive", undefined, '"token";r=0;t=60']);
  const text = (wait: string) => `Too many requests. Wait ${wait}, then try again.`;
  assert.deepEqual(await ask(), [text("60 seconds"), "close", "60", '"token";r=0;t=60']);
  advance(59_000);
  assert.deepEqual(await ask(), [text("1 second"), "close", "1", '"token";r=0;t=1']);
  await app.close();
});

test("OPS-2: the keys that a limit counts are observed under its name", () => {
  const observed: CacheSource[] = [];
  const limit = createRateLimit({ name: "sign-in", quota: 2 }, Date.now, (cache) => observed.push(cache));
  for (const key of ["a", "b", "a"]) limit.take(key);
  assert.deepEqual(
    observed.map(({ name, entries }) => [name, entries?.()]),
    [["rate_limit_sign_in", 2]],
  );
});

test("LIM-1: each limit has its quota, LIM-2: and a name of its own in responses, OPS-2: and in the metrics", () => {
  const observed: string[] = [];
  const quotas = { token: 1, session: 2, signIn: 3, failedAuth: 4, open: 5 };
  const limits = createLimits(
    quotas,
    () => 0,
    ({ name }) => observed.push(name),
  );
  assert.deepEqual(
    Object.entries(limits).map(([key, { take }]) => [key, take("a").fields["ratelimit-policy"]]),
    [
      ["token", '"token";q=1;w=60'],
      ["session", '"session";q=2;w=60'],
      ["signIn", '"sign-in";q=3;w=60'],
      ["refresh", '"refresh";q=3;w=60'],
      ["failedAuth", '"failed-authentication";q=4;w=60'],
      ["open", '"open";q=5;w=60'],
      ["health", '"health";q=5;w=60'],
    ],
  );
  assert.deepEqual(observed, [
    "rate_limit_token",
    "rate_limit_session",
    ...["rate_limit_sign_in", "rate_limit_sign_in_site"],
    "rate_limit_refresh",
    ...["rate_limit_failed_authentication", "rate_limit_failed_authentication_site"],
    ...["rate_limit_open", "rate_limit_open_site"],
    ...["rate_limit_health", "rate_limit_health_site"],
  ]);
});

test("LIM-1: checking a quota does not consume it", () => {
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

test("LIM-1: forged keys cannot fill the memory: the least recently used keys are dropped", () => {
  const { take, peek } = setLimit(1);
  take("first");
  for (let number = 0; number < 49_999; number += 1) take(`made-up ${number}`);
  assert.equal(peek("first").allowed, false);
  take("one more");
  assert.equal(peek("first").allowed, true);
  assert.equal(peek("made-up 0").allowed, false);
});

const limitOf = (quota: number) => createAddressLimit({ name: "open", quota }, () => 0);

/** The number of these requests that are accepted. */
function allowed(limit: ReturnType<typeof limitOf>, addresses: readonly string[]): number {
  return addresses.filter((address) => limit.take(address).allowed).length;
}

const networks = (count: number) =>
  Array.from({ length: count }, (_, n) => `2001:db8:1:${n.toString(16)}::1`);

test("LIM-1: the networks of each /48 share four times the quota of one", () => {
  const limit = limitOf(3);
  assert.equal(allowed(limit, networks(200)), 12);
  const refused = limit.take("2001:db8:1:ffff::1");
  assert.equal(refused.fields["ratelimit-policy"], '"open-site";q=12;w=60');
  assert.equal(refused.fields["retry-after"], "60");
  assert.equal(limit.take("2001:db8:1:fffe::1").allowed, false);
  assert.equal(limit.take("2001:db8:2::1").allowed, true);
});

test("LIM-1: refused requests of a /64 do not count for its /48", () => {
  const limit = limitOf(3);
  const addresses = Array.from({ length: 100 }, (_, n) => `2001:db8:1:1::${n.toString(16)}`);
  assert.equal(allowed(limit, addresses), 3);
  assert.equal(allowed(limit, networks(200)), 9);
});

test("LIM-1: IPv4 addresses have no site, even if IPv4-mapped", () => {
  const limit = limitOf(1);
  for (const prefix of ["192.0.2.", "::ffff:198.51.100."]) {
    const addresses = Array.from({ length: 50 }, (_, n) => `${prefix}${n}`);
    assert.equal(allowed(limit, addresses), 50);
  }
  assert.equal(allowed(limit, ["unknown", "", "also unknown"]), 1);
});

test("LIM-1: 0 turns a limit by address off", () => {
  assert.equal(allowed(limitOf(0), networks(200)), 200);
});

test("LIM-1: an IPv4 address is its own key, even if IPv4-mapped", () => {
  assert.equal(addressKey("192.0.2.7"), "192.0.2.7");
  assert.equal(addressKey("::ffff:192.0.2.7"), "192.0.2.7");
  assert.equal(addressKey("::ffff:c000:207"), "192.0.2.7");
  assert.equal(addressKey("0:0:0:0:0:FFFF:C000:0207"), "192.0.2.7");
  assert.equal(addressKey("::FFFF:192.0.2.7"), "192.0.2.7");
  assert.notEqual(addressKey("::ffff:192.0.2.8"), addressKey("::ffff:192.0.2.7"));
});

test("LIM-1: an IPv6 address counts for its /64, in any notation", () => {
  const network = "2001:db8:0:1::/64";
  for (const address of [
    "2001:db8:0:1::",
    "2001:db8:0:1::1",
    "2001:0db8:0000:0001:ffff:ffff:ffff:ffff",
    "2001:DB8:0:1:a:b:c:d",
    "2001:db8:0:1:0:0:192.0.2.7",
    "2001:db8::1:2:3:4:5",
    "2001:db8::1:0:0:192.0.2.7",
  ]) {
    assert.equal(addressKey(address), network, address);
  }
  assert.notEqual(addressKey("2001:db8:0:2::1"), network);
});

test("LIM-1: compressed forms and zones are accepted", () => {
  assert.equal(addressKey("::1"), "0:0:0:0::/64");
  assert.equal(addressKey("::"), "0:0:0:0::/64");
  assert.equal(addressKey("fe80::1%eth0"), "fe80:0:0:0::/64");
  assert.equal(addressKey("64:ff9b::192.0.2.7"), "64:ff9b:0:0::/64");
});

test("LIM-1: the zone of an IPv6 address does not matter", () => {
  const zone = fc.constantFrom("eth0", "ETH0", "eth0.1", "br-lan", "a:b", "7");
  fc.assert(
    fc.property(fc.ipV6(), zone, (address, name) => {
      assert.notEqual(addressKey(address), "unknown");
      assert.equal(addressKey(`${address}%${name}`), addressKey(address));
    }),
  );
});

test("LIM-1: all values that are no address share one key", () => {
  for (const text of [
    "",
    "unknown",
    "_hidden",
    "192.0.2.7:443",
    "192.0.2",
    "1",
    "0x7f.1",
    "010.0.0.1",
    "1:2:3",
    "x".repeat(10_000),
  ]) {
    assert.equal(addressKey(text), "unknown");
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { createAddressLimit } from "./address-limit.ts";

const limitOf = (quota: number) => createAddressLimit({ name: "open", quota }, () => 0);

/** How many of some requests are let through. */
function allowed(limit: ReturnType<typeof limitOf>, addresses: readonly string[]): number {
  return addresses.filter((address) => limit.take(address).allowed).length;
}

const networks = (count: number) =>
  Array.from({ length: count }, (_, n) => `2001:db8:1:${n.toString(16)}::1`);

test("LIM-1: the networks of a /48 have four times the quota of one together, and those of another their own", () => {
  const limit = limitOf(3);
  assert.equal(allowed(limit, networks(200)), 12);
  const refused = limit.take("2001:db8:1:ffff::1");
  assert.equal(refused.fields["ratelimit-policy"], '"open-site";q=12;w=60');
  assert.equal(refused.fields["retry-after"], "60");
  assert.equal(limit.peek("2001:db8:1:fffe::1").allowed, false);
  assert.equal(limit.take("2001:db8:2::1").allowed, true);
});

test("LIM-1: what one /64 is refused does not count for its /48", () => {
  const limit = limitOf(3);
  const addresses = Array.from({ length: 100 }, (_, n) => `2001:db8:1:1::${n.toString(16)}`);
  assert.equal(allowed(limit, addresses), 3);
  assert.equal(allowed(limit, networks(200)), 9);
});

test("LIM-1: IPv4 addresses have no site, in IPv6 clothes neither", () => {
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

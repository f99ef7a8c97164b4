import assert from "node:assert/strict";
import { test } from "node:test";
import { addressKey } from "./address-key.ts";

test("LIM-1: an IPv4 address counts for itself, in IPv6 clothes too", () => {
  assert.equal(addressKey("192.0.2.7"), "192.0.2.7");
  assert.equal(addressKey("::ffff:192.0.2.7"), "192.0.2.7");
  assert.equal(addressKey("::FFFF:192.0.2.7"), "192.0.2.7");
  assert.notEqual(addressKey("::ffff:192.0.2.8"), addressKey("::ffff:192.0.2.7"));
});

test("LIM-1: an IPv6 address counts for its /64, however it is written", () => {
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

test("LIM-1: short forms and zones are read", () => {
  assert.equal(addressKey("::1"), "0:0:0:0::/64");
  assert.equal(addressKey("::"), "0:0:0:0::/64");
  assert.equal(addressKey("fe80::1%eth0"), "fe80:0:0:0::/64");
  assert.equal(addressKey("64:ff9b::192.0.2.7"), "64:ff9b:0:0::/64");
});

test("LIM-1: what is no address counts as one and the same", () => {
  for (const text of ["", "unknown", "_hidden", "192.0.2.7:443", "1:2:3", "x".repeat(10_000)]) {
    assert.equal(addressKey(text), "unknown");
  }
});

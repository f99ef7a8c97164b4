import assert from "node:assert/strict";
import { test } from "node:test";
import { proxyRanges, rangeMatcher } from "./trusted-proxies.ts";

/** The addresses that a setting trusts. */
function trusted(setting: string, addresses: readonly string[]): string[] {
  const matches = rangeMatcher(proxyRanges(setting.split(", ")));
  return addresses.filter(matches);
}

const addresses = [
  ...["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"],
  ...["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fd12::1", "::ffff:10.1.2.3"],
  ...["172.32.0.1", "192.0.2.7", "2001:db8::7", "fe80::1%eth0"],
];

test("OPS-5: TRUST_PROXY trusts only the listed addresses, ranges and names", () => {
  assert.deepEqual(trusted("loopback", addresses), addresses.slice(0, 4));
  assert.deepEqual(trusted("private", addresses), addresses.slice(4, 10));
  assert.deepEqual(trusted("192.0.2.0/24, 2001:db8::7", addresses), ["192.0.2.7", "2001:db8::7"]);
  assert.deepEqual(trusted("192.0.2.8", addresses), []);
  assert.deepEqual(trusted("fe80::/10", addresses), ["fe80::1%eth0"]);
  assert.deepEqual(trusted("off", addresses), []);
});

test("OPS-5: a value that is no address is never trusted", () => {
  const matches = rangeMatcher(proxyRanges(["loopback", "private"]));
  for (const address of [undefined, "", "unknown", "127.0.0.1:80", "localhost"]) {
    assert.equal(matches(address), false);
  }
});

test("OPS-5: TRUST_PROXY refuses a number of hops, a host name and a range of all addresses", () => {
  for (const value of ["1", "2", "0", "true", "banana", "proxy.example", "10.0.0.0/33", "10.0.0.0/"]) {
    assert.throws(() => proxyRanges([value]), /must list addresses, CIDR ranges, loopback or private/, value);
  }
  for (const value of ["0.0.0.0/0", "::/0", "10.0.0.0/8/8", "10.0.0.0/255.0.0.0", "loopback 10.0.0.1"]) {
    assert.throws(() => proxyRanges([value]), /must list addresses/, value);
  }
});

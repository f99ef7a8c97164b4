import { BlockList, isIP } from "node:net";

/** Names that `TRUST_PROXY` accepts for address ranges (RFC 1918, RFC 4193). */
const namedRanges: ReadonlyMap<string, readonly string[]> = new Map([
  ["off", []],
  ["loopback", ["127.0.0.0/8", "::1/128"]],
  ["private", ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"]],
]);

/**
 * Reads the items of `TRUST_PROXY` as address ranges in CIDR notation. A number of hops is refused: a client that reaches
 * the port without the proxy could then choose its own address. Throws an `Error` that says what the value must be.
 */
export function proxyRanges(items: readonly string[]): readonly string[] {
  return items.flatMap((item) => namedRanges.get(item) ?? [rangeOf(item)]);
}

function rangeOf(item: string): string {
  const [address = "", prefix, ...rest] = item.split("/");
  const family = isIP(address);
  const bits = family === 6 ? 128 : 32;
  const length = prefix === undefined ? bits : Number(prefix);
  const isPrefix = prefix === undefined || /^\d{1,3}$/.test(prefix);
  // A range with prefix length 0 contains every address.
  if (family === 0 || rest.length > 0 || !isPrefix || length < 1 || length > bits) {
    throw new Error(
      "must list addresses, CIDR ranges, loopback or private: the proxies themselves, not their number",
    );
  }
  return `${address}/${length}`;
}

/** Returns whether an address is in one of the ranges from `proxyRanges`. */
export function rangeMatcher(ranges: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", length] = range.split("/");
    list.addSubnet(address, Number(length), isIP(address) === 6 ? "ipv6" : "ipv4");
  }
  return (address = "") => {
    const plain = address.replace(/%.*$/s, "");
    const family = isIP(plain);
    return family !== 0 && list.check(plain, family === 6 ? "ipv6" : "ipv4");
  };
}

import { isIP } from "node:net";

/**
 * What addresses are counted by: an IPv4 address as it is, an IPv6 address by its /64, since one household has
 * that many to choose from. What a proxy passes on that is no address counts as one and the same.
 */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const plain = mapped ?? address;
  if (isIP(plain) === 4) return plain;
  if (isIP(plain) === 6) return `${firstGroups(plain, 4)}::/64`;
  return "unknown";
}

/** The /48 of an IPv6 address, which is what one site is given at most (RFC 6177); null for any other address. */
export function siteKey(address: string): string | null {
  const isIPv6 = isIP(address) === 6 && addressKey(address).endsWith("::/64");
  return isIPv6 ? `${firstGroups(address, 3)}::/48` : null;
}

/** The first groups of an IPv6 address, without leading zeros (RFC 4291, section 2.2). */
function firstGroups(address: string, count: number): string {
  const [head = "", tail = ""] = address.split("::");
  const left = groupsOf(head);
  const right = groupsOf(tail);
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  const groups = [...left, ...zeros, ...right].slice(0, count);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":");
}

/** An IPv4 address at the end stands for two groups; which ones matters to no /64. */
function groupsOf(part: string): string[] {
  return part
    .replace(/\d+\.\d+\.\d+\.\d+.*$/, "0:0")
    .split(":")
    .filter(Boolean);
}

import type { Clock } from "../../model/runtime.ts";
import { addressKey, siteKey } from "./address-key.ts";
import { createRateLimit, type Policy, type RateLimit, type Verdict } from "./rate-limit.ts";

/** How many times the quota of one /64 all networks of a /48 have together. */
const siteFactor = 4;

/**
 * A limit by address. An IPv6 address counts for its /64 and for its /48: somebody who is given a whole /48 has 65 536
 * networks to choose from, and an office in which each floor has its own must still be served.
 */
export function createAddressLimit(policy: Policy, clock: Clock): RateLimit {
  const networks = createRateLimit(policy, clock);
  const site = { name: `${policy.name}-site`, quota: policy.quota * siteFactor };
  const sites = createRateLimit(site, clock);

  const either = (address: string, ask: (limit: RateLimit, key: string) => Verdict): Verdict => {
    const siteName = siteKey(address);
    const ahead = siteName === null ? null : sites.peek(siteName);
    return ahead?.allowed === false ? ahead : ask(networks, addressKey(address));
  };

  return {
    peek: (address) => either(address, (limit, key) => limit.peek(key)),
    take(address) {
      const verdict = either(address, (limit, key) => limit.take(key));
      const siteName = siteKey(address);
      if (verdict.allowed && siteName !== null) sites.take(siteName);
      return verdict;
    },
  };
}

import { createHash } from "node:crypto";

/** What an authorization code stands for. */
interface Consent {
  readonly personId: string;
  readonly sharedIds: readonly string[];
  readonly redirectUri: string;
}

/** Authorization codes: each good once, for a few minutes (RFC 6749, section 4.1.2). */
export interface Codes {
  issue(consent: Consent): string;
  /** Uses a code up; null where it is not known, or no more. */
  redeem(code: string): Consent | null;
}

const lifetime = 5 * 60_000;

/** Keeps the codes of one process. */
export function createCodes(clock: () => number, random: (size: number) => Uint8Array): Codes {
  const consents = new Map<string, { consent: Consent; until: number }>();
  const purge = () => {
    for (const [key, { until }] of consents) if (until <= clock()) consents.delete(key);
  };
  return {
    issue(consent) {
      purge();
      const code = Buffer.from(random(32)).toString("base64url");
      consents.set(hash(code), { consent, until: clock() + lifetime });
      return code;
    },
    redeem(code) {
      purge();
      const found = consents.get(hash(code));
      consents.delete(hash(code));
      return found?.consent ?? null;
    },
  };
}

function hash(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}

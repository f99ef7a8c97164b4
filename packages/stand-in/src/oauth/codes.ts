import { createHash } from "node:crypto";
import type { Consent } from "./grant.ts";
import type { State } from "./state-file.ts";

/** Authorization codes: each good once, for a few minutes (RFC 6749, section 4.1.2). */
export interface Codes {
  /** Resolves when the code is kept: it is good after a restart as well. */
  issue(consent: Consent): Promise<string>;
  /** Uses a code up; null where it is not known, or no more. */
  redeem(code: string): Promise<Consent | null>;
}

const lifetime = 5 * 60_000;

export function createCodes(
  state: Pick<State, "codes" | "save">,
  clock: () => number,
  random: (size: number) => Uint8Array,
): Codes {
  const { codes } = state;
  const purge = () => {
    for (const [hash, { until }] of codes) if (until <= clock()) codes.delete(hash);
  };
  return {
    async issue(consent) {
      purge();
      const code = Buffer.from(random(32)).toString("base64url");
      codes.set(hashOf(code), { ...consent, hash: hashOf(code), until: clock() + lifetime });
      await state.save();
      return code;
    },
    async redeem(code) {
      purge();
      const found = codes.get(hashOf(code)) ?? null;
      if (codes.delete(hashOf(code))) await state.save();
      return found;
    },
  };
}

function hashOf(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}

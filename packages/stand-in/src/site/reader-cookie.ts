import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** The cookie by which a browser shows that somebody signed in with it. Pages are shown only with it. */
export interface ReaderCookie {
  /** The `Set-Cookie` header for a browser that has just signed in. */
  issue(): string;
  /** Whether a `Cookie` header has an unexpired cookie of this kind. */
  isIn(header: string | undefined): boolean;
}

interface ReaderCookieParts {
  /** Signs the cookies. A new key ends all of them. */
  readonly key: Uint8Array;
  readonly clock: () => number;
  /** The path of the pages that it opens. */
  readonly path: string;
  /** Whether browsers reach the site over https. */
  readonly secure: boolean;
}

/** As long as a session of the client lasts, after which people sign in again anyway. */
const lifetimeMs = 7 * 24 * 60 * 60_000;

/** Creates the reader cookies of a site. They say until when they are valid, and nothing about the person. */
export function createReaderCookie({ key, clock, path, secure }: ReaderCookieParts): ReaderCookie {
  const sign = (until: string) => createHmac("sha256", key).update(until).digest("base64url");
  // Browsers send the cookies of all ports of a host, so each installation has a name of its own.
  const installation = createHash("sha256").update(key).digest("hex").slice(0, 8);
  const name = `${secure ? "__Secure-" : ""}clew_demo_${installation}`;
  const isValid = (value: string) => {
    const [until = "", signature = ""] = value.split(".", 2);
    return isEqual(signature, sign(until)) && Number(until) > clock();
  };
  return {
    issue() {
      const until = String(clock() + lifetimeMs);
      // Lax, because links to pages are followed from other sites.
      const attributes = ["HttpOnly", "SameSite=Lax", ...(secure ? ["Secure"] : [])].join("; ");
      return `${name}=${until}.${sign(until)}; Max-Age=${lifetimeMs / 1000}; Path=${path}; ${attributes}`;
    },
    isIn(header = "") {
      const pairs = header.split(";").map((pair) => pair.trim());
      return pairs.some((pair) => pair.startsWith(`${name}=`) && isValid(pair.slice(name.length + 1)));
    },
  };
}

function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

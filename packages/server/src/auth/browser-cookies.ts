import { hash } from "node:crypto";
import { type Cookies, stringifySetCookie } from "cookie";
import type { RandomBytes } from "../model/runtime.ts";

/** The cookies of one kind that a browser can have: more cookies would exceed the limit of the request's headers. */
const maxOpen = 8;

/**
 * Cookies that tie what a browser has begun to that browser: a sign-in, or an app's request to be connected. Each has a cookie of
 * its own, named by a hash of its id, so that two tabs do not overwrite each other's. With `__Host-`, which needs https, other
 * hosts cannot set it (RFC 6265bis, section 4.1.3.2).
 */
export class BrowserCookies {
  readonly #prefix: string;
  readonly #lifetimeMs: number;
  readonly #secure: boolean;

  constructor(options: { readonly name: string; readonly lifetimeMs: number; readonly publicUrl: URL }) {
    this.#secure = options.publicUrl.protocol === "https:";
    this.#prefix = `${this.#secure ? "__Host-" : ""}${options.name}_`;
    this.#lifetimeMs = options.lifetimeMs;
  }

  /** The secret that a browser presents for what has this id; undefined if it did not begin it. */
  secretFor(idHash: Uint8Array, cookies: Cookies): string | undefined {
    return cookies[this.#nameOf(idHash)];
  }

  /** Values of `Set-Cookie` that store a secret, and remove the browser's oldest cookies of this kind, so that it fits. */
  begin(idHash: Uint8Array, secret: string, cookies: Cookies): string[] {
    // Browsers send the oldest first (RFC 6265, section 5.4).
    const names = Object.keys(cookies).filter((name) => name.startsWith(this.#prefix));
    const oldest = names.slice(0, Math.max(0, names.length - maxOpen + 1));
    return [...oldest.map((name) => this.#cookie(name, null)), this.#cookie(this.#nameOf(idHash), secret)];
  }

  /** The value of `Set-Cookie` that removes a secret. */
  end(idHash: Uint8Array): string {
    return this.#cookie(this.#nameOf(idHash), null);
  }

  #nameOf(idHash: Uint8Array): string {
    return `${this.#prefix}${Buffer.from(idHash).toString("base64url").slice(0, 16)}`;
  }

  #cookie(name: string, secret: string | null): string {
    const maxAge = secret === null ? 0 : this.#lifetimeMs / 1000;
    const [value, secure] = [secret ?? "", this.#secure];
    // Lax, because the redirect of a provider or of a program comes from another site.
    return stringifySetCookie({ name, value, maxAge, path: "/", sameSite: "lax", httpOnly: true, secure });
  }
}

/** Draws 256 random bits, in base64url. */
export function newSecret(random: RandomBytes): string {
  return Buffer.from(random(32)).toString("base64url");
}

/** Whether a text has the form of such a secret. */
export function isSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** The hash that is stored in place of a secret. */
export function hashSecret(secret: string): Uint8Array {
  return new Uint8Array(hash("sha256", secret, "buffer"));
}

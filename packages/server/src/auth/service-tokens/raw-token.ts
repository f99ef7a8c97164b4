import { hash } from "node:crypto";
import type { RandomBytes } from "../../model/runtime.ts";

const tokenPrefix = "svc_";
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const length = 32;
const prefixLength = 12;

/**
 * The largest multiple of the alphabet's size that a byte can count to: bytes beyond it would favour some.
 */
const evenBytes = 256 - (256 % alphabet.length);

/** A new service token: `svc_` and 32 characters, each drawn evenly (TOK-2), some 190 bits of randomness. */
export function newServiceToken(random: RandomBytes): string {
  let characters = "";
  while (characters.length < length) {
    for (const byte of random(length)) {
      if (byte < evenBytes) characters += alphabet[byte % alphabet.length];
    }
  }
  return tokenPrefix + characters.slice(0, length);
}

/** The part of a raw token by which its owner recognises it (TOK-2). */
export function prefixOf(rawToken: string): string {
  return rawToken.slice(0, prefixLength);
}

/** All that is kept of a raw token: its SHA-256 in base64 (TOK-2). Part of every request, so it is asked for as text. */
export function hashServiceToken(rawToken: string): string {
  return hash("sha256", rawToken, "base64");
}

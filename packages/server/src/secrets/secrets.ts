import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import type { RandomBytes } from "../model/runtime.ts";

/** The operations of the installation's encryption key. The key itself is never exposed. */
export interface Secrets {
  /**
   * Encrypts for storage. `context` identifies the secret and its owner. It is not stored, but a sealed secret opens
   * only under the context that it was sealed with, so one cannot be swapped for another.
   */
  seal(plain: Uint8Array, context: string): Uint8Array;
  /** Decrypts what `seal` returned. Throws `SecretsError` `cannot_open`: wrong key, other context, or altered. */
  open(sealed: Uint8Array, context: string): Uint8Array;
  /** 32 bytes derived from the key for one purpose. They reveal neither the key nor each other. */
  deriveKey(purpose: string): Uint8Array;
}

/**
 * `invalid_key`: not a key · `missing_key`: the key file is gone · `unreadable_key`: this process may not read the key file ·
 * `exposed_key`: other users may read it ·
 * `wrong_key`: not the key of this installation · `unfinished_change`: a change of the key was interrupted ·
 * `cannot_open`: wrong key, other context, or altered.
 */
type SecretsErrorCode =
  | "invalid_key"
  | "missing_key"
  | "unreadable_key"
  | "exposed_key"
  | "wrong_key"
  | "unfinished_change"
  | "cannot_open";

/** A key or a sealed secret is not usable. The message contains neither. */
export class SecretsError extends Error {
  readonly code: SecretsErrorCode;

  constructor(code: SecretsErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "SecretsError";
    this.code = code;
  }
}

const algorithm = "aes-256-gcm";
export const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/** First byte of a sealed secret: version, nonce, ciphertext, tag. */
const version = 1;

/**
 * Seals with AES-256-GCM (NIST SP 800-38D) under a fresh random nonce, and derives with HKDF-SHA256 (RFC 5869).
 * `key` is 32 random bytes; throws `SecretsError` `invalid_key` for any other size.
 */
export function createSecrets(key: Uint8Array, random: RandomBytes): Secrets {
  if (key.length !== keyBytes) {
    const message = `The encryption key must have ${keyBytes} bytes, not ${key.length}`;
    throw new SecretsError("invalid_key", message);
  }
  const derive = (info: string) => new Uint8Array(hkdfSync("sha256", key, new Uint8Array(), info, keyBytes));
  const sealingKey = derive("clew seal");

  return {
    seal(plain, context) {
      const nonce = random(nonceBytes);
      const cipher = createCipheriv(algorithm, sealingKey, nonce, { authTagLength: tagBytes });
      cipher.setAAD(Buffer.from(context));
      const ciphertext = [cipher.update(plain), cipher.final()];
      return new Uint8Array(
        Buffer.concat([Uint8Array.of(version), nonce, ...ciphertext, cipher.getAuthTag()]),
      );
    },

    open(sealed, context) {
      if (sealed[0] !== version || sealed.length < 1 + nonceBytes + tagBytes) {
        throw new SecretsError("cannot_open", "Not a sealed secret");
      }
      const nonce = sealed.subarray(1, 1 + nonceBytes);
      const ciphertext = sealed.subarray(1 + nonceBytes, -tagBytes);
      const decipher = createDecipheriv(algorithm, sealingKey, nonce, { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(sealed.subarray(-tagBytes));
      try {
        return new Uint8Array(Buffer.concat([decipher.update(ciphertext), decipher.final()]));
      } catch (cause) {
        const message = "The secret was sealed with another key or context, or was altered";
        throw new SecretsError("cannot_open", message, { cause });
      }
    },

    deriveKey: (purpose) => derive(`clew key ${purpose}`),
  };
}

/** Whether a sealed secret opens with this key and context. */
export function opens(secrets: Secrets, sealed: Uint8Array, context: string): boolean {
  try {
    secrets.open(sealed, context);
    return true;
  } catch (error) {
    if (error instanceof SecretsError) return false;
    throw error;
  }
}

/** Seals a secret with the new key; null if it already is. Throws `SecretsError` if neither key opens it. */
export type Reseal = (sealed: Uint8Array, context: string) => Uint8Array | null;

/** Moves secrets from one key to another. It can be interrupted and run again. */
export function resealFrom(before: Secrets, after: Secrets): Reseal {
  return (sealed, context) =>
    opens(after, sealed, context) ? null : after.seal(before.open(sealed, context), context);
}

import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import type { RandomBytes } from "../model/runtime.ts";
import { SecretsError } from "./error.ts";

/** What may be done with the installation's key, without ever seeing it. */
export interface Secrets {
  /**
   * Encrypts for storage. `context` says what the secret is and whose: it is not stored, but a sealed secret opens
   * under the same context alone, so one cannot be put in the place of another.
   */
  seal(plain: Uint8Array, context: string): Uint8Array;
  /** Decrypts what `seal` made. Throws `SecretsError` `unsealable`: wrong key, other context, or altered. */
  open(sealed: Uint8Array, context: string): Uint8Array;
  /** 32 bytes that depend on the key and the purpose alone; they tell nothing of the key or of each other. */
  deriveKey(purpose: string): Uint8Array;
}

const algorithm = "aes-256-gcm";
const keyBytes = 32;
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
    throw new SecretsError(
      "invalid_key",
      `The encryption key must have ${keyBytes} bytes, not ${key.length}`,
    );
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
        throw new SecretsError("unsealable", "Not a sealed secret");
      }
      const nonce = sealed.subarray(1, 1 + nonceBytes);
      const ciphertext = sealed.subarray(1 + nonceBytes, -tagBytes);
      const decipher = createDecipheriv(algorithm, sealingKey, nonce, { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(sealed.subarray(-tagBytes));
      try {
        return new Uint8Array(Buffer.concat([decipher.update(ciphertext), decipher.final()]));
      } catch (cause) {
        throw new SecretsError("unsealable", "The secret was sealed otherwise, or was altered", { cause });
      }
    },

    deriveKey: (purpose) => derive(`clew key ${purpose}`),
  };
}

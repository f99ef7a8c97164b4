import type { webcrypto } from "node:crypto";
import type { Clock, RandomBytes } from "../model/runtime.ts";
import type { Reseal, Secrets } from "../secrets/secrets.ts";
import type { Database, WriteTransaction } from "../store/port.ts";
import { refreshLifetimeMs } from "../store/queries/sessions.ts";
import {
  deleteSigningKeys,
  insertSigningKey,
  purgeSigningKeys,
  replaceSealedSecret,
  retireSigningKeys,
  type SealedSigningKey,
  signingKeys as storedKeys,
} from "../store/queries/signing-keys.ts";
import { endSessionsOf } from "./live-sessions.ts";

/** A key that signs or verifies session tokens with HMAC SHA-256; its secret cannot be read out again. */
interface SigningKey {
  readonly kid: string;
  readonly key: webcrypto.CryptoKey;
}

/** The keys of all instances on one database (SESS-7). */
export interface SigningKeys {
  /** The key that signs now. */
  current(): Promise<SigningKey>;
  /** The key that a token names, as long as a token of it can live; null where there is none. */
  find(kid: string): Promise<SigningKey | null>;
  /** Lets a new key sign from now on. Tokens of the older ones stay good until they expire. */
  rotate(): Promise<void>;
  /**
   * Lets a new key sign, for when an older one leaked: on every instance the older ones verify nothing any more, and every
   * session is over. Returns how many those were.
   */
  revokeOld(): Promise<number>;
}

interface Parts {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

interface KnownKey extends SigningKey {
  readonly retiredAt: number | null;
}

/** An instance that has not yet noticed a rotation may sign with the old key a moment longer. */
const retirementMarginMs = 60 * 60 * 1000;
const retention = refreshLifetimeMs + retirementMarginMs;

/** 128 random bits in base64url: what names no key of Clew's is told without asking the store. */
const kidPattern = /^[A-Za-z0-9_-]{22}$/;

/** Opens the keys in the store, and makes the first one where there is none. */
export async function createSigningKeys({ database, secrets, clock, random }: Parts): Promise<SigningKeys> {
  let known: ReadonlyMap<string, KnownKey> = new Map();

  async function load(): Promise<ReadonlyMap<string, KnownKey>> {
    const rows = await storedKeys(database.read);
    const keys = await Promise.all(
      rows.map(async ({ kid, sealedSecret, retiredAt }): Promise<KnownKey> => {
        const key = known.get(kid)?.key ?? (await openSigningKey(secrets, { kid, sealedSecret }));
        return { kid, key, retiredAt };
      }),
    );
    known = new Map(keys.map((key) => [key.kid, key]));
    return known;
  }

  async function insertNew(trx: WriteTransaction): Promise<string> {
    const kid = Buffer.from(random(16)).toString("base64url");
    await insertSigningKey(trx, {
      kid,
      sealedSecret: secrets.seal(random(32), context(kid)),
      createdAt: clock(),
    });
    return kid;
  }

  await database.transaction(async (trx) => {
    await purgeSigningKeys(trx, clock() - retention);
    const stored = await storedKeys(trx);
    if (!stored.some(isCurrent)) await insertNew(trx);
  });
  await load();

  return {
    async current() {
      // Read anew each time: another instance may have rotated, and signing is rare.
      await load();
      const key = [...known.values()].find(isCurrent);
      if (!key) throw new Error("The store holds no key that may sign.");
      return key;
    },
    async find(kid) {
      if (!kidPattern.test(kid)) return null;
      // Another instance may have rotated a moment ago, or revoked this key: what is known is as of the last commit.
      await database.memory.refresh();
      const key = (await database.memory.remember("signing keys", load)).get(kid);
      const lapsed = key?.retiredAt != null && key.retiredAt + retention <= clock();
      return key && !lapsed ? key : null;
    },
    async rotate() {
      await database.transaction(async (trx) => {
        const kid = await insertNew(trx);
        await retireSigningKeys(trx, { exceptKid: kid, now: clock() });
        await purgeSigningKeys(trx, clock() - retention);
      });
      await load();
    },
    async revokeOld() {
      const ended = await database.transaction(async (trx) => {
        const kid = await insertNew(trx);
        await deleteSigningKeys(trx, { exceptKid: kid });
        return endSessionsOf(trx, null, clock());
      });
      await load();
      return ended;
    },
  };
}

/** Seals every key anew, as `reseal` has it. */
export async function resealSigningKeys(trx: WriteTransaction, reseal: Reseal): Promise<number> {
  let resealed = 0;
  for (const { kid, sealedSecret } of await storedKeys(trx)) {
    const anew = reseal(sealedSecret, context(kid));
    if (anew === null) continue;
    await replaceSealedSecret(trx, kid, anew);
    resealed += 1;
  }
  return resealed;
}

/** Opens a key as it is stored. Throws `SecretsError`. */
export function openSigningKey(
  secrets: Pick<Secrets, "open">,
  { kid, sealedSecret }: Pick<SealedSigningKey, "kid" | "sealedSecret">,
): Promise<webcrypto.CryptoKey> {
  return importSecret(secrets.open(sealedSecret, context(kid)));
}

const isCurrent = (key: { readonly retiredAt: number | null }) => key.retiredAt === null;

const context = (kid: string) => `signing-key:${kid}`;

const importSecret = (secret: Uint8Array) =>
  crypto.subtle.importKey("raw", new Uint8Array(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
    "verify",
  ]);

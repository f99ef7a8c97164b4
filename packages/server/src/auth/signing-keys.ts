import type { webcrypto } from "node:crypto";
import DataLoader from "dataloader";
import type { Clock, RandomBytes } from "../model/runtime.ts";
import type { Reseal, Secrets } from "../secrets/secrets.ts";
import type { Database, ReadHandle, WriteTransaction } from "../store/port.ts";
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
  /** The time from which it only verifies; null for the key that signs. */
  readonly retiredAt: number | null;
}

/** The services that store secrets in the database. */
export interface SecretStoreServices {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** An instance that has not noticed a rotation yet may sign with the old key a little longer. */
const retirementMarginMs = 60 * 60 * 1000;
const retentionMs = refreshLifetimeMs + retirementMarginMs;

/** 128 random bits in base64url. Any other id is refused without a read. */
const kidPattern = /^[A-Za-z0-9_-]{22}$/;

export type SigningKeys = Awaited<ReturnType<typeof createSigningKeys>>;

/**
 * The signing keys, which all instances on one database share (SESS-7): opens the stored ones, or creates the first. Any
 * instance may rotate or revoke them, so they are read again for each use.
 */
export async function createSigningKeys({ database, secrets, clock, random }: SecretStoreServices) {
  let known: ReadonlyMap<string, SigningKey> = new Map();

  async function load(db: ReadHandle = database.read): Promise<ReadonlyMap<string, SigningKey>> {
    const rows = await storedKeys(db);
    const keys = await Promise.all(
      rows.map(async ({ kid, sealedSecret, retiredAt }): Promise<SigningKey> => {
        const key = known.get(kid)?.key ?? (await openSigningKey(secrets, { kid, sealedSecret }));
        return { kid, key, retiredAt };
      }),
    );
    known = new Map(keys.map((key) => [key.kid, key]));
    return known;
  }

  /** Loads the keys once for all requests of a turn of the event loop. */
  const loader = new DataLoader<string, SigningKey | undefined>(
    async (kids) => {
      const keys = await load();
      return kids.map((kid) => keys.get(kid));
    },
    { cache: false, batchScheduleFn: setImmediate },
  );

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
    await purgeSigningKeys(trx, clock() - retentionMs);
    const stored = await storedKeys(trx);
    if (!stored.some(isCurrent)) await insertNew(trx);
  });
  await load();

  return {
    /** The key that signs now, as a transaction sees it or as last committed. */
    async current(db?: ReadHandle): Promise<SigningKey> {
      const key = [...(await load(db)).values()].find(isCurrent);
      if (!key) throw new Error("There is no current signing key in the database.");
      return key;
    },
    /** The key with this id; null if there is none, or if all of its tokens have expired. */
    async find(kid: string): Promise<SigningKey | null> {
      if (!kidPattern.test(kid)) return null;
      // Verified tokens are cached, so this is rare.
      const key = await loader.load(kid);
      const lapsed = key?.retiredAt != null && key.retiredAt + retentionMs <= clock();
      return key && !lapsed ? key : null;
    },
    /** Signs with a new key from now on. Tokens of older keys stay valid until they expire. */
    async rotate(): Promise<void> {
      await database.transaction(async (trx) => {
        const kid = await insertNew(trx);
        await retireSigningKeys(trx, { exceptKid: kid, now: clock() });
        await purgeSigningKeys(trx, clock() - retentionMs);
      });
    },
    /**
     * Replaces all keys after a leak: on every instance tokens of older keys are refused, and all sessions end. Returns how
     * many sessions ended.
     */
    revokeOld(): Promise<number> {
      return database.transaction(async (trx) => {
        const kid = await insertNew(trx);
        await deleteSigningKeys(trx, kid);
        return endSessionsOf(trx, null, clock());
      });
    },
  };
}

/** Reseals every signing key. Returns how many changed. */
export async function resealSigningKeys(trx: WriteTransaction, reseal: Reseal): Promise<number> {
  let resealed = 0;
  for (const { kid, sealedSecret } of await storedKeys(trx)) {
    const sealedAnew = reseal(sealedSecret, context(kid));
    if (sealedAnew === null) continue;
    await replaceSealedSecret(trx, kid, sealedAnew);
    resealed += 1;
  }
  return resealed;
}

/** Opens a stored signing key. Throws `SecretsError`. */
export async function openSigningKey(
  secrets: Pick<Secrets, "open">,
  { kid, sealedSecret }: Pick<SealedSigningKey, "kid" | "sealedSecret">,
): Promise<webcrypto.CryptoKey> {
  const secret = new Uint8Array(secrets.open(sealedSecret, context(kid)));
  return crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
}

const isCurrent = (key: Pick<SealedSigningKey, "retiredAt">) => key.retiredAt === null;

const context = (kid: string) => `signing-key:${kid}`;

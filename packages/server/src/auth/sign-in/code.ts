import { createHash, timingSafeEqual } from "node:crypto";
import type { Clock, RandomBytes } from "../../model/runtime.ts";
import type { Database, ReadHandle } from "../../store/port.ts";
import { deleteSignInCode, insertSignInCode, liveSignInCodes } from "../../store/queries/sign-in-codes.ts";
import { SignInFailure } from "./failure.ts";

/** Minutes for which a one-time code is good (SIGN-12). */
export const codeMinutes = 10;

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
}

/** Makes a one-time code of 128 random bits, in groups that a person can compare. Only its hash is stored. */
export async function issueSignInCode({
  database,
  clock,
  random,
}: Parts & { readonly random: RandomBytes }): Promise<string> {
  const digits = Buffer.from(random(16)).toString("hex");
  const now = clock();
  const code = { hash: hashOf(digits), expiresAt: now + codeMinutes * 60_000 };
  await database.transaction((trx) => insertSignInCode(trx, code, now));
  return digits.replace(/(.{4})(?=.)/g, "$1-");
}

/** Whether a code is good now. It stays good: a mistyped state must not cost it. */
export async function isSignInCode({ database, clock }: Parts, code: string): Promise<boolean> {
  return (await find(database.read, clock, code)) !== null;
}

/** Uses a code up. Throws `SignInFailure` `exchange_failed` where it is wrong, used or expired. */
export async function useSignInCode({ database, clock }: Parts, code: string): Promise<void> {
  const used = await database.transaction(async (trx) => {
    const hash = await find(trx, clock, code);
    return hash !== null && (await deleteSignInCode(trx, hash));
  });
  if (!used) throw new SignInFailure("exchange_failed");
}

/** Compares with every live code, in a time that tells nothing of any. */
async function find(db: ReadHandle, clock: Clock, code: string): Promise<Uint8Array | null> {
  const given = hashOf(code.toLowerCase().replaceAll(/[^0-9a-f]/g, ""));
  const live = await liveSignInCodes(db, clock());
  return live.filter((hash) => timingSafeEqual(hash, given))[0] ?? null;
}

function hashOf(digits: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(digits).digest());
}

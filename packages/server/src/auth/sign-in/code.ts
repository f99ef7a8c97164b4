import { timingSafeEqual } from "node:crypto";
import type { Clock, RandomBytes } from "../../model/runtime.ts";
import type { Database, ReadHandle } from "../../store/port.ts";
import { deleteSignInCode, insertSignInCode, liveSignInCodes } from "../../store/queries/sign-ins.ts";
import { hashSecret } from "../browser-cookies.ts";
import { SignInFailure } from "./redirect.ts";

/** The minutes for which a one-time code is valid (SIGN-12). */
export const codeMinutes = 10;

interface CodeServices {
  readonly database: Database;
  readonly clock: Clock;
}

/** Draws a one-time code of 128 bits, in groups that are easy to compare. Only its hash is stored. */
export async function issueSignInCode({
  database,
  clock,
  random,
}: CodeServices & { readonly random: RandomBytes }): Promise<string> {
  const digits = Buffer.from(random(16)).toString("hex");
  const now = clock();
  const code = { hash: hashSecret(digits), expiresAt: now + codeMinutes * 60_000 };
  await database.transaction((trx) => insertSignInCode(trx, code, now));
  return digits.replace(/(.{4})(?=.)/g, "$1-");
}

/** Whether a code is valid now. Does not consume it: a sign-in that fails for another reason must not use it up. */
export async function isSignInCode({ database, clock }: CodeServices, code: string): Promise<boolean> {
  return (await find(database.read, clock, code)) !== null;
}

/** Consumes a code. Throws `SignInFailure` `exchange_failed` if it is wrong, used or expired. */
export async function useSignInCode({ database, clock }: CodeServices, code: string): Promise<void> {
  const used = await database.transaction(async (trx) => {
    const stored = await find(trx, clock, code);
    return stored !== null && (await deleteSignInCode(trx, stored));
  });
  if (!used) throw new SignInFailure("exchange_failed");
}

/** Finds the hash of a valid code. Takes the same time whether or not a code matches. */
async function find(db: ReadHandle, clock: Clock, code: string): Promise<Uint8Array | null> {
  const given = hashSecret(code.toLowerCase().replaceAll(/[^0-9a-f]/g, ""));
  const live = await liveSignInCodes(db, clock());
  return live.filter((stored) => timingSafeEqual(stored, given))[0] ?? null;
}

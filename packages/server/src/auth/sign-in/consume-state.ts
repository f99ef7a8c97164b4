import type { Clock } from "../../model/runtime.ts";
import type { Database } from "../../store/port.ts";
import { consumeAttempt } from "../../store/queries/sign-in-attempts.ts";
import { SignInFailure } from "./failure.ts";
import { hashSecret } from "./state.ts";

interface Presented {
  readonly stateHash: Uint8Array;
  /** What the attempt's cookie holds, if the browser sent it. */
  readonly browserSecret: string | undefined;
}

/**
 * Uses up a state, which works once, in time, and in the browser that began the attempt. In another browser
 * the state stays as it is, so that nobody can spoil another's sign-in. Throws `SignInFailure`
 * `invalid_state`.
 */
export async function consumeState(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  { stateHash, browserSecret }: Presented,
): Promise<void> {
  if (browserSecret === undefined) throw new SignInFailure("invalid_state");
  const attempt = { stateHash, browserHash: hashSecret(browserSecret) };
  const consumed = await database.transaction((trx) => consumeAttempt(trx, attempt, clock()));
  if (!consumed) throw new SignInFailure("invalid_state");
}

import type { SignInErrorCode } from "@clew/contract";
import { ApiError } from "../../model/api-error.ts";

/** Why somebody was not signed in. The code is public, the cause is for the log alone (SIGN-4). */
export class SignInFailure extends Error {
  readonly code: SignInErrorCode;

  constructor(code: SignInErrorCode, cause?: unknown) {
    super(`The sign-in failed: ${code}`, { cause });
    this.name = "SignInFailure";
    this.code = code;
  }
}

/** Finds the public code of whatever went wrong while somebody signed in. */
export function signInFailureOf(error: unknown): SignInFailure {
  if (error instanceof SignInFailure) return error;
  return new SignInFailure(codeOf(error), error);
}

/** A request that was refused before its state could be read carries no state that Clew could accept. */
function codeOf(error: unknown): SignInErrorCode {
  if (!(error instanceof ApiError)) return "unavailable";
  if (error.code === "rate_limited") return "rate_limited";
  return error.code === "internal" || error.code === "unavailable" ? "unavailable" : "invalid_state";
}

import type { SignInErrorCode } from "@clew/contract";
import { ApiError } from "../../model/api-error.ts";

/** A sign-in that failed. The code is public; the cause goes to the log only (SIGN-4). */
export class SignInFailure extends Error {
  readonly code: SignInErrorCode;

  constructor(code: SignInErrorCode, cause?: unknown) {
    super(`The sign-in failed: ${code}`, { cause });
    this.name = "SignInFailure";
    this.code = code;
  }
}

/** Gives any error of a sign-in its public code. */
export function signInFailureOf(error: unknown): SignInFailure {
  if (error instanceof SignInFailure) return error;
  return new SignInFailure(codeOf(error), error);
}

/** Any other refusal came before the state was read, so the state is reported as invalid. */
function codeOf(error: unknown): SignInErrorCode {
  if (!(error instanceof ApiError)) return "unavailable";
  if (error.code === "rate_limited") return "rate_limited";
  return error.code === "internal" || error.code === "unavailable" ? "unavailable" : "invalid_state";
}

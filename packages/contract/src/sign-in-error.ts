/** The values of `error` in the dashboard's fragment after a failed sign-in (SIGN-4). */
export const signInErrors = {
  access_denied: "The sign-in was cancelled at the provider.",
  invalid_state:
    "This sign-in was not started in this browser, was used before, or took longer than ten minutes.",
  exchange_failed: "The provider did not accept the sign-in.",
  provider_unavailable: "The provider could not be reached, or Clew could not read its answer.",
  unsupported_owner: "The provider connected a whole workspace instead of a person.",
  not_allowed: "This account or workspace may not sign in here.",
  rate_limited: "Too many sign-ins from this address. Try again in a minute.",
  unavailable: "Clew cannot sign anybody in right now.",
} as const satisfies Record<string, string>;

export type SignInErrorCode = keyof typeof signInErrors;

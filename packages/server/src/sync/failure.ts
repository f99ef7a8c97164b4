import { ProviderError, type ProviderErrorCode } from "../provider/port.ts";
import { StorageLimitReached } from "./storage-limits.ts";

const reasons: Readonly<Record<ProviderErrorCode, string>> = {
  unauthorized: "The provider no longer accepts Clew's access. Sign in again to renew it.",
  refused: "The provider does not let Clew read this workspace.",
  not_found: "The provider does not know this workspace any more.",
  invalid: "The provider does not accept Clew's requests.",
  rate_limited: "The provider's rate limit did not let Clew through.",
  unavailable: "The provider could not be reached.",
  nonsense: "The provider's answers made no sense.",
  unsupported_owner: "The grant belongs to a workspace instead of a person.",
};

/** Why a sync as a whole failed, in words for the person whose it is. What exactly happened is for the log. */
export function reasonOf(error: unknown): string {
  if (error instanceof StorageLimitReached) return error.message;
  return error instanceof ProviderError
    ? reasons[error.code]
    : "Something went wrong inside Clew; its log says more.";
}

/** Whether the provider has withdrawn the grant. */
export function isWithdrawal(error: unknown): boolean {
  return error instanceof ProviderError && error.code === "unauthorized";
}

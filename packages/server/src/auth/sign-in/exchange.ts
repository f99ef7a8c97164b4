import type { SignInErrorCode } from "@clew/contract";
import { type Grant, type Provider, ProviderError, type ProviderErrorCode } from "../../provider/port.ts";
import type { CallbackQuery } from "./callback-query.ts";
import { SignInFailure } from "./failure.ts";

/** The code that the provider sent, or why there is none. Throws `SignInFailure`. */
export function authorizationCode({ code, error }: CallbackQuery): string {
  if (error === "access_denied") throw new SignInFailure("access_denied");
  if (error !== null || code === null) throw new SignInFailure("exchange_failed");
  return code;
}

/** What each of the provider's failures means for a sign-in. */
const failureCodes: Readonly<Record<ProviderErrorCode, SignInErrorCode>> = {
  refused: "exchange_failed",
  unauthorized: "exchange_failed",
  invalid: "exchange_failed",
  not_found: "provider_unavailable",
  rate_limited: "provider_unavailable",
  unavailable: "provider_unavailable",
  nonsense: "provider_unavailable",
  unsupported_owner: "unsupported_owner",
};

/** Exchanges a code for a grant, as long as the signal lets it. Throws `SignInFailure`. */
export async function exchangeCode(
  provider: Provider,
  request: Parameters<Provider["exchange"]>[0],
): Promise<Grant> {
  try {
    return await provider.exchange(request);
  } catch (cause) {
    if (cause instanceof ProviderError) throw new SignInFailure(failureCodes[cause.code], cause);
    throw request.signal.aborted ? new SignInFailure("provider_unavailable", cause) : cause;
  }
}

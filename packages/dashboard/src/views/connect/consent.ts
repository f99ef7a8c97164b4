import type { AppRequest, ApproveAppRequestInput, ServiceToken } from "@clew/client";
import type { appLifetimeDays, Scope } from "@clew/contract";

// As in the other forms, the contract's own module would bring its schemas into the bundle: its types check these values.
const standardDays: (typeof appLifetimeDays)["standard"] = 30;
const leastDays: (typeof appLifetimeDays)["minimum"] = 1;
export const mostDays: (typeof appLifetimeDays)["maximum"] = 365;

/** The lifetimes that are offered by name, in days. */
export const offeredDays: readonly number[] = [1, 7, standardDays, 90, mostDays];

/** A person's choices about a program's request. */
export interface Consent {
  readonly workspaceIds: readonly string[];
  readonly scopes: readonly Scope[];
  /** As it was chosen or typed. */
  readonly days: string;
  /** The token that ends; null if none does. */
  readonly endTokenId: number | null;
}

/** Everything that the program asks for, and nothing that ends. */
export function consentOf({ workspaces, scopes }: Pick<AppRequest, "workspaces" | "scopes">): Consent {
  return {
    workspaceIds: workspaces.map(({ id }) => id),
    scopes,
    days: String(standardDays),
    endTokenId: null,
  };
}

/** The tokens that the person may end: the program's earlier one and, if one must end, all others in use. */
export function endableTokens({
  limit_reached,
  usable_tokens,
  earlier_token,
}: Pick<AppRequest, "limit_reached" | "usable_tokens" | "earlier_token">): readonly ServiceToken[] {
  const earlier = earlier_token === null ? [] : [earlier_token];
  if (!limit_reached) return earlier;
  return [...earlier, ...usable_tokens.filter(({ id }) => id !== earlier_token?.id)];
}

/** The choices that still fit: the request is read again while the person looks at it. */
export function fitting(consent: Consent, request: AppRequest): Consent {
  const isThere = (id: number | null) => endableTokens(request).some((token) => token.id === id);
  return {
    ...consent,
    workspaceIds: request.workspaces.map(({ id }) => id).filter((id) => consent.workspaceIds.includes(id)),
    scopes: request.scopes.filter((scope) => consent.scopes.includes(scope)),
    endTokenId: isThere(consent.endTokenId) ? consent.endTokenId : null,
  };
}

/** Whole days; null if that is not a number of days that can be allowed. */
export function daysOf({ days }: Pick<Consent, "days">): number | null {
  const number = Number(days);
  return days.trim() !== "" && Number.isInteger(number) && number >= leastDays && number <= mostDays
    ? number
    : null;
}

export type ConsentFault = "workspaces" | "scopes" | "days" | "end";

/** The missing choices, in the order of the form. */
export function faultsOf(
  consent: Consent,
  { limit_reached, usable_tokens }: Pick<AppRequest, "limit_reached" | "usable_tokens">,
): ConsentFault[] {
  const mustEnd = limit_reached && usable_tokens.length > 0;
  const checks: readonly [ConsentFault, boolean][] = [
    ["workspaces", consent.workspaceIds.length > 0],
    ["scopes", consent.scopes.length > 0],
    ["days", daysOf(consent) !== null],
    ["end", !mustEnd || consent.endTokenId !== null],
  ];
  return checks.filter(([, isFine]) => !isFine).map(([fault]) => fault);
}

/** The choices as the API takes them. */
export function approvalOf(id: string, consent: Consent): ApproveAppRequestInput {
  const { scopes, workspaceIds, endTokenId } = consent;
  const days = daysOf(consent);
  return {
    id,
    scopes,
    workspace_ids: workspaceIds,
    ...(days === null ? {} : { expires_in_days: days }),
    ...(endTokenId === null ? {} : { end_token_id: endTokenId }),
  };
}

/** The place to which a program has the browser sent back: a website, this computer, or an app that opens a scheme of its own. */
export type Destination = "website" | "computer" | "device";

export function destinationOf({
  host,
  is_loopback,
}: Pick<AppRequest["redirect"], "host" | "is_loopback">): Destination {
  if (is_loopback) return "computer";
  return host.endsWith(":") ? "device" : "website";
}

import type { CreateServiceTokenInput } from "@clew/client";
import type { Scope } from "@clew/contract";
import { maxDays, maxNameLength, scopeNames } from "./limits.ts";

export type Purpose = "agent" | "script" | "ci";

/** The expiry of the token: after a number of days, at the end of a day (`2027-01-31`), or never. */
export type Expiry =
  | { readonly kind: "days"; readonly days: number }
  | { readonly kind: "date"; readonly date: string }
  | { readonly kind: "never" };

/** A token that is about to be created. */
export interface Draft {
  readonly name: string;
  readonly purpose: Purpose;
  readonly workspaceIds: readonly string[];
  readonly scopes: readonly Scope[];
  readonly expiry: Expiry;
}

/** The fields that a link may fill in: `/tokens/new?name=…&scopes=…&days=30`. */
export interface DraftLink {
  readonly name?: string;
  readonly scopes?: string;
  readonly days?: number;
}

const dayMs = 86_400_000;

/** The days that are offered; other numbers of a link become a date. */
export const offeredDays: readonly number[] = [7, 30, 90, 365];

/** Nothing is ticked, except for the workspace if there is only one. */
export function draftOf(
  { name = "", scopes = "", days = 90 }: DraftLink,
  workspaceIds: readonly string[],
  now: number,
): Draft {
  const asked = scopes.split(/[\s,]+/);
  return {
    name: name.slice(0, maxNameLength),
    purpose: "agent",
    workspaceIds: workspaceIds.length === 1 ? workspaceIds : [],
    scopes: scopeNames.filter((scope) => asked.includes(scope)),
    expiry: offeredDays.includes(days)
      ? { kind: "days", days }
      : { kind: "date", date: dateAfter(Math.min(Math.max(1, days), maxDays) - 1, now) },
  };
}

export const suggestedScopes: Readonly<Record<Purpose, readonly Scope[]>> = {
  agent: ["graph:search", "graph:read", "graph:neighbors"],
  script: ["graph:search", "graph:read"],
  ci: ["graph:read"],
};

/** The calendar day, here, after a number of days. */
export function dateAfter(days: number, now: number): string {
  const then = new Date(now + days * dayMs);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())}`;
}

/** Whole days until the token expires; null if never. `NaN` without a date. */
export function daysOf(expiry: Expiry, now: number): number | null {
  if (expiry.kind === "never") return null;
  if (expiry.kind === "days") return expiry.days;
  // The last moment of that day, here, rounded up: the token still works on it.
  return Math.ceil((Date.parse(`${expiry.date}T23:59:59`) - now) / dayMs);
}

export type DraftFault = "name" | "workspaces" | "scopes" | "days";

/** The missing fields, in the order of the form. */
export function faultsOf({ name, workspaceIds, scopes, expiry }: Draft, now: number): DraftFault[] {
  const days = daysOf(expiry, now);
  const isExpiryFine = days === null || (days >= 1 && days <= maxDays);
  const checks: [DraftFault, boolean][] = [
    ["name", name.trim() !== ""],
    ["workspaces", workspaceIds.length > 0],
    ["scopes", scopes.length > 0],
    ["days", isExpiryFine],
  ];
  return checks.filter(([, isFine]) => !isFine).map(([fault]) => fault);
}

export function requestOf(
  { name, workspaceIds, scopes, expiry }: Draft,
  now: number,
): CreateServiceTokenInput {
  return {
    name: name.trim(),
    scopes: scopeNames.filter((scope) => scopes.includes(scope)),
    workspace_ids: workspaceIds,
    expires_in_days: daysOf(expiry, now),
  };
}

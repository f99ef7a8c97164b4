import type { Connection } from "./connection.ts";

/** The people who may use Clew (SIGN-10): those on the list of addresses, and those with a workspace on the other list. */
export interface AllowList {
  /** Ids of workspaces, with or without dashes. */
  readonly workspaces: readonly string[];
  /** Lower-case addresses and `@domain`s. */
  readonly emails: readonly string[];
  /** True if everyone whom the provider identifies may sign in, because neither list is set. */
  readonly anyone: boolean;
}

/** Whether a person may use all of their workspaces. A person without an e-mail address is on no list of addresses. */
function allowsPerson({ anyone, emails }: AllowList, email: string | null): boolean {
  if (anyone) return true;
  if (email === null) return false;
  const address = email.toLowerCase();
  return emails.includes(address) || emails.includes(address.slice(address.lastIndexOf("@")));
}

/** Whether a person may use this one of their workspaces. */
export function allowsWorkspace(
  allowed: AllowList,
  { email, workspaceId }: { readonly email: string | null; readonly workspaceId: string },
): boolean {
  return allowsPerson(allowed, email) || allowed.workspaces.some((id) => bare(id) === bare(workspaceId));
}

/**
 * Those of a person's connections that they may use: all if the person is allowed, otherwise those to allowed workspaces.
 * null if neither the person nor any of their workspaces is allowed.
 */
export function usableConnections(
  allowed: AllowList,
  { email, connections }: { readonly email: string | null; readonly connections: readonly Connection[] },
): readonly Connection[] | null {
  if (allowsPerson(allowed, email)) return connections;
  const usable = connections.filter(({ workspaceId }) => allowsWorkspace(allowed, { email, workspaceId }));
  return usable.length > 0 ? usable : null;
}

/** People copy ids from URLs, which have them without dashes. */
const bare = (id: string) => id.replaceAll("-", "").toLowerCase();

import type { Connection } from "./connection.ts";

/**
 * Who may use Clew, and through which sources (SIGN-10, SIGN-11): those on the list of addresses, and those with a workspace on
 * the other list.
 */
export interface AllowList {
  /** Ids of workspaces, with or without dashes. */
  readonly workspaces: readonly string[];
  /** Lower-case addresses and `@domain`s. */
  readonly emails: readonly string[];
  /** True if everyone whom a source identifies may sign in, because neither list is set. */
  readonly anyone: boolean;
  /** The sources that are served, by their slugs. Connections to others are not used, and their people are refused. */
  readonly sources: Readonly<Record<string, ServedSource>>;
}

/** A served source, as far as it concerns who may use Clew. */
export interface ServedSource {
  /** The name under which its people are stored. */
  readonly people: string;
  /** Whether the lists are about it. They are not about a folder, whose person the operator lets in. */
  readonly isListed: boolean;
}

/** A person as a source identified them. */
interface Identified {
  /** The name under which they are stored. */
  readonly provider: string;
  readonly email: string | null;
}

/** A workspace, and who allowed Clew to read it. */
interface Granted {
  /** The slug of the source. */
  readonly provider: string;
  readonly workspaceId: string;
  /** The e-mail address of the person who gave the grant. */
  readonly email: string | null;
}

/** Whether a served source has these people. */
export function servesPeople({ sources }: Pick<AllowList, "sources">, people: string): boolean {
  return Object.values(sources).some((source) => source.people === people);
}

/** Whether an address is on the list. A person without an e-mail address is on no list of addresses. */
function listsAddress({ anyone, emails }: AllowList, email: string | null): boolean {
  if (anyone) return true;
  if (email === null) return false;
  const address = email.toLowerCase();
  return emails.includes(address) || emails.includes(address.slice(address.lastIndexOf("@")));
}

/** Whether a grant may be used: that of a served source, if the lists allow its person or its workspace. */
export function allowsWorkspace(allowed: AllowList, { provider, workspaceId, email }: Granted): boolean {
  const source = sourceOf(allowed, provider);
  if (source === undefined) return false;
  return !source.isListed || listsAddress(allowed, email) || listsWorkspace(allowed, workspaceId);
}

/**
 * Those of a person's connections that they may use. null if their source is not served, or if the lists are about them and allow
 * neither them nor any of their workspaces: then a folder that they have added does not let them in.
 */
export function usableConnections(
  allowed: AllowList,
  owner: Identified & { readonly connections: readonly Connection[] },
): readonly Connection[] | null {
  const { provider, email, connections } = owner;
  const own = Object.values(allowed.sources).filter(({ people }) => people === provider);
  if (own.length === 0) return null;
  const usable = connections.filter((each) =>
    allowsWorkspace(allowed, { ...each, email: grantedBy(each, email) }),
  );
  const isAllowed =
    own.some(({ isListed }) => !isListed) ||
    listsAddress(allowed, email) ||
    usable.some((each) => sourceOf(allowed, each.provider)?.isListed);
  return isAllowed ? usable : null;
}

/** The e-mail address of the person who gave a connection's grant. `email` is that of the connection's owner. */
function grantedBy({ grantedEmail }: Connection, email: string | null): string | null {
  return grantedEmail ?? email;
}

function sourceOf({ sources }: AllowList, slug: string): ServedSource | undefined {
  return Object.hasOwn(sources, slug) ? sources[slug] : undefined;
}

function listsWorkspace({ workspaces }: AllowList, workspaceId: string): boolean {
  return workspaces.some((id) => bare(id) === bare(workspaceId));
}

/** People copy ids from URLs, which have them without dashes. */
const bare = (id: string) => id.replaceAll("-", "").toLowerCase();

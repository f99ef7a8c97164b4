import type { Config } from "../../config/config.ts";
import type { Grant } from "../../provider/port.ts";
import { SignInFailure } from "./failure.ts";

/**
 * Lets in whom either list names: a workspace's id, a person's e-mail address, or its domain (SIGN-10).
 * Throws `SignInFailure` `not_allowed`.
 */
export function requireAllowed(allowed: Config["allowed"], { workspace, person }: Grant): void {
  if (allowed.anyone) return;
  if (allowed.workspaces.some((id) => sameId(id, workspace.id))) return;
  if (person.email !== null && isListed(allowed.emails, person.email.toLowerCase())) return;
  throw new SignInFailure("not_allowed");
}

/** People copy ids from URLs, where they stand without dashes. */
function sameId(one: string, other: string): boolean {
  return bare(one) === bare(other);
}

const bare = (id: string) => id.replaceAll("-", "").toLowerCase();

function isListed(emails: readonly string[], address: string): boolean {
  const domain = address.slice(address.lastIndexOf("@"));
  return emails.includes(address) || emails.includes(domain);
}

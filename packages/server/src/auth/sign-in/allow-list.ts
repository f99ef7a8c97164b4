import { type AllowList, allowsWorkspace } from "../../model/allow-list.ts";
import type { Grant } from "../../provider/port.ts";
import { SignInFailure } from "./failure.ts";

/** Lets in whom either list names (SIGN-10). Throws `SignInFailure` `not_allowed`. */
export function requireAllowed(allowed: AllowList, { workspace, person }: Grant): void {
  if (allowsWorkspace(allowed, { email: person.email, workspaceId: workspace.id })) return;
  throw new SignInFailure("not_allowed");
}

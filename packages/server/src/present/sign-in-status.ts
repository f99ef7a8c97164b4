import type { SignInStatus } from "@clew/contract";
import type { Connection } from "../model/connection.ts";
import type { Provider } from "../provider/port.ts";
import { presentConnection } from "./connection.ts";

/**
 * Whether and where people sign in (SIGN-6). Clew does not start without a provider, the stand-in included,
 * so sign-in can always work. `connections` is null where nobody is signed in.
 */
export function presentSignInStatus(
  { slug, name, standIn }: Pick<Provider, "slug" | "name" | "standIn">,
  connections: readonly Connection[] | null,
): SignInStatus {
  return {
    provider: slug,
    name,
    configured: true,
    stand_in: standIn,
    workspaces: connections?.map(presentConnection) ?? null,
  };
}

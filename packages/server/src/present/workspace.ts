import type { Connection as ConnectionMessage, SignInStatus, Workspace } from "@clew/contract";
import type { Provider } from "@clew/provider";
import type { Connection } from "../model/connection.ts";
import { type FailedPages, presentSyncProgress } from "./sync.ts";
import { formatOptionalTimestamp, presentIcon } from "./values.ts";

/** A connection for its user. */
export function presentConnection(connection: Connection): ConnectionMessage {
  return {
    id: connection.workspaceId,
    name: connection.name,
    icon: presentIcon(connection.icon),
    status: connection.status,
    last_synced_at: formatOptionalTimestamp(connection.lastSyncedAt),
  };
}

/** A readable workspace with the size and freshness of its graph (GRAPH-1). */
export function presentWorkspace(
  connection: Connection,
  { nodes, edges }: { readonly nodes: number; readonly edges: number },
  { failed, editsAsOf }: { readonly failed: FailedPages; readonly editsAsOf: number | null },
): Workspace {
  return {
    ...presentConnection(connection),
    nodes,
    edges,
    sync: presentSyncProgress(connection.sync, failed),
    complete_as_of: formatOptionalTimestamp(connection.completeAsOf),
    edits_as_of: formatOptionalTimestamp(editsAsOf),
  };
}

/**
 * Whether and where people sign in (SIGN-6). Clew does not start without a provider, so sign-in is always configured.
 * `connections` is null for requests without a session.
 */
export function presentSignInStatus(
  provider: Pick<Provider, "slug" | "name" | "standIn" | "folder" | "setup">,
  connections: readonly Connection[] | null,
): SignInStatus {
  return {
    provider: provider.slug,
    name: provider.name,
    configured: true,
    stand_in: provider.standIn,
    folder: provider.folder ?? null,
    setup: provider.setup && { name: provider.setup.name, steps: [...provider.setup.steps] },
    workspaces: connections?.map(presentConnection) ?? null,
  };
}

import type { Connection as ConnectionMessage, SignInStatus, Source, Workspace } from "@clew/contract";
import type { Provider } from "@clew/provider";
import type { Connection } from "../model/connection.ts";
import { type FailedPages, presentSyncProgress } from "./sync.ts";
import { formatOptionalTimestamp, presentIcon } from "./values.ts";

/** A connection for its user. */
export function presentConnection(connection: Connection): ConnectionMessage {
  return {
    id: connection.workspaceId,
    provider: connection.provider,
    name: connection.name,
    icon: presentIcon(connection.icon),
    status: connection.status,
    last_synced_at: formatOptionalTimestamp(connection.lastSyncedAt),
  };
}

interface WorkspaceFacts {
  readonly failed: FailedPages;
  readonly editsAsOf: number | null;
  /** Whether its source has tags. */
  readonly hasTags: boolean;
}

/** A readable workspace with the size and freshness of its graph (GRAPH-1). */
export function presentWorkspace(
  connection: Connection,
  { nodes, edges }: { readonly nodes: number; readonly edges: number },
  { failed, editsAsOf, hasTags }: WorkspaceFacts,
): Workspace {
  return {
    ...presentConnection(connection),
    nodes,
    edges,
    sync: presentSyncProgress(connection.sync, failed),
    tags: hasTags ? connection.tags : null,
    complete_as_of: formatOptionalTimestamp(connection.completeAsOf),
    edits_as_of: formatOptionalTimestamp(editsAsOf),
  };
}

/** The facts of a source that people see. */
type DescribedSource = Pick<Provider, "slug" | "name" | "standIn" | "folder" | "setup" | "asksForCode">;

/**
 * Whether and where people sign in (SIGN-6). Clew does not start without a source, so sign-in is always configured. The first of the
 * sources is described in full. `connections` is null for requests without a session.
 */
export function presentSignInStatus(
  sources: readonly [DescribedSource, ...DescribedSource[]],
  connections: readonly Connection[] | null,
): SignInStatus {
  const [first] = sources;
  return {
    provider: first.slug,
    name: first.name,
    configured: true,
    stand_in: first.standIn,
    folder: first.folder ?? null,
    setup: first.setup && { name: first.setup.name, steps: [...first.setup.steps] },
    workspaces: connections?.map(presentConnection) ?? null,
    sources: sources.map(presentSource),
  };
}

function presentSource({ slug, name, standIn, folder, asksForCode }: DescribedSource): Source {
  const kind = folder == null ? "service" : "folder";
  return { provider: slug, name, kind: standIn ? "demo" : kind, asks_for_code: asksForCode };
}

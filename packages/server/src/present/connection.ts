import type { Connection as ConnectionMessage } from "@clew/contract";
import type { Connection } from "../model/connection.ts";
import { presentIcon } from "./link.ts";
import { presentOptionalTimestamp } from "./timestamp.ts";

/** A connection as its user sees it. */
export function presentConnection(connection: Connection): ConnectionMessage {
  return {
    id: connection.workspaceId,
    name: connection.name,
    icon: presentIcon(connection.icon),
    status: connection.status,
    last_synced_at: presentOptionalTimestamp(connection.lastSyncedAt),
  };
}

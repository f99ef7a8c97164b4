import type { ContentState, EdgeType, NodeType, SyncPhase, SyncState } from "@clew/contract";
import type { Generated } from "kysely";

/**
 * The rows of every table, in one place. Times are milliseconds since the Unix epoch, node ids are 16 bytes,
 * JSON is text, hashes are the 32 bytes of a SHA-256. Text is kept as it is, U+0000 included, but for half a
 * surrogate pair, which UTF-8 cannot hold: it becomes U+FFFD. Rows never leave the store.
 */
export interface Tables {
  schema_migrations: { version: number; name: string };
  installation: { id: number; sealed_key_check: Uint8Array };
  users: UserRow;
  connections: ConnectionRow;
  sessions: SessionRow;
  sign_in_attempts: { state_hash: Uint8Array; browser_hash: Uint8Array; expires_at: number };
  service_tokens: ServiceTokenRow;
  signing_keys: { kid: string; sealed_secret: Uint8Array; created_at: number; retired_at: number | null };
  nodes: NodeRow;
  contents: ContentRow;
  threads: ThreadRow;
}

interface UserRow {
  id: string;
  provider: string;
  provider_user_id: string;
  name: string | null;
  email: string | null;
  avatar_url: string | null;
  created_at: number;
  last_sign_in_at: number;
}

interface ConnectionRow {
  id: Generated<number>;
  user_id: string;
  workspace_id: string;
  name: string | null;
  icon: string | null;
  bot_id: string;
  /** Sealed. */
  access_token: Uint8Array;
  /** Sealed. */
  refresh_token: Uint8Array | null;
  status: Generated<"active" | "needs_reauth">;
  connected_at: number;
  last_synced_at: number | null;
  /** Grows with every change of the graph. */
  revision: Generated<number>;
  /** The revision that readers are served. */
  published_revision: Generated<number>;
  /** Number of the sync run that began last. */
  run: Generated<number>;
  sync_state: SyncState;
  sync_phase: SyncPhase | null;
  sync_done: number;
  sync_total: number | null;
  sync_started_at: number | null;
  sync_finished_at: number | null;
  sync_error: string | null;
}

interface SessionRow {
  id: string;
  user_id: string;
  user_agent: string | null;
  created_at: number;
  last_refreshed_at: number | null;
  refresh_expires_at: number;
  ended_at: number | null;
}

interface ServiceTokenRow {
  id: Generated<number>;
  user_id: string;
  name: string;
  hash: Uint8Array;
  prefix: string;
  /** JSON array. */
  scopes: string;
  /** JSON array. */
  workspace_ids: string;
  expires_in_days: number | null;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

interface NodeRow {
  connection_id: number;
  id: Uint8Array;
  type: NodeType;
  title: string;
  icon: string | null;
  url: string | null;
  parent_id: Uint8Array | null;
  created_at: number;
  updated_at: number;
  /** JSON object. */
  properties: string;
  content_state: ContentState;
  /** Why the text could not be read, where `content_state` is `failed`. */
  content_error: string | null;
  /** The last sync run that saw the node. */
  run: number;
}

interface ContentRow {
  connection_id: number;
  node_id: Uint8Array;
  markdown: string;
  /** In code points. */
  total_chars: number;
  digest: string;
  /** `updated_at` of the node when this text was saved. */
  updated_at: number;
}

interface ThreadRow {
  connection_id: number;
  from_id: Uint8Array;
  /** What holds the thread: each source is replaced as a whole. */
  source: ThreadSource;
  /** Place among the threads of its source. */
  position: number;
  type: Exclude<EdgeType, "child">;
  target_id: Uint8Array;
  name: string | null;
  count: number;
}

export type ThreadSource = "properties" | "text";

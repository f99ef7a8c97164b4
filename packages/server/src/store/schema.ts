import type {
  AuditEvent,
  ContentState,
  EdgeType,
  NodeType,
  SyncOutcome,
  SyncPhase,
  SyncState,
} from "@clew/contract";
import type { Generated } from "kysely";
import type { FoundBy } from "../model/sync-report.ts";

/**
 * The rows of every table, in one place. Times are milliseconds since the Unix epoch, node ids are 16 bytes,
 * JSON is text, hashes are the 32 bytes of a SHA-256. Text is kept as it is, U+0000 included, but for half a
 * surrogate pair, which UTF-8 cannot hold: it becomes U+FFFD. Rows never leave the store.
 */
export interface Tables {
  schema_migrations: { version: number; name: string };
  installation: InstallationRow;
  users: UserRow;
  connections: ConnectionRow;
  sessions: SessionRow;
  sign_in_codes: { code_hash: Uint8Array; expires_at: number };
  sign_in_attempts: { state_hash: Uint8Array; browser_hash: Uint8Array; expires_at: number };
  service_tokens: ServiceTokenRow;
  audit: AuditRow;
  signing_keys: { kid: string; sealed_secret: Uint8Array; created_at: number; retired_at: number | null };
  nodes: NodeRow;
  contents: ContentRow;
  node_references: ReferenceRow;
  tombstones: TombstoneRow;
  crawl_checkpoints: CrawlCheckpointRow;
  data_sources: DataSourceRow;
  blocks: BlockRow;
  sync_jobs: SyncJobRow;
  sync_reports: SyncReportRow;
  revocations: RevocationRow;
}

interface InstallationRow {
  id: number;
  /** Sealed. */
  sealed_key_check: Uint8Array;
  /** The same, sealed with the key that is to come; null where the key is not being changed. */
  next_key_check: Uint8Array | null;
  /** Tells installations apart: the SHA-256 of the first key check. */
  fingerprint: Uint8Array;
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
  /** When the last complete sync ended. */
  complete_as_of: number | null;
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
  sync_outcome: SyncOutcome | null;
  /** Until when the provider's limit makes the sync wait. */
  sync_waiting_until: number | null;
  /** When a sync last read also what the provider's search does not list. */
  swept_at: number | null;
  /** Since when the grant is known to be withdrawn. */
  withdrawn_at: number | null;
  /** What nodes, texts and references of it take; triggers keep it. */
  stored_bytes: Generated<number>;
  /** Removals up to this revision are forgotten. */
  forgotten_revision: Generated<number>;
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
  /** May be still to come. */
  revoked_at: number | null;
  last_used_at: number | null;
}

interface AuditRow {
  id: Generated<number>;
  user_id: string;
  at: number;
  event: AuditEvent;
  /** Ids of sessions and tokens that may be gone: a trail outlives them. */
  session_id: string | null;
  token_id: number | null;
  token_name: string | null;
  token_prefix: string | null;
  successor_id: number | null;
  workspace_id: string | null;
  reason: string | null;
  address: string | null;
  user_agent: string | null;
}

interface NodeRow {
  connection_id: number;
  id: Uint8Array;
  type: NodeType;
  title: string;
  /** JSON array of the node's other names; null where it has none. */
  aliases: string | null;
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
  /** What told of the node when it was seen last. */
  found_by: Generated<FoundBy>;
  /** When the text was asked for, by the provider's clock; 0 where something that it names is still to be asked for. */
  read_at: number | null;
  /** The page, database, data source or block that it hangs in, shared or not; null at the top of the workspace. */
  container_id: Uint8Array | null;
  /** 1 while something that its listing leaves out or names is still to be asked for. */
  unsettled: Generated<number>;
  /** The revision with which the node came. */
  added_revision: Generated<number>;
  /** The revision of its latest change: of its facts, its text or its references. */
  changed_revision: Generated<number>;
}

/** A node that was removed, once for each time: one that comes back keeps those of before. */
interface TombstoneRow {
  connection_id: number;
  node_id: Uint8Array;
  added_revision: number;
  revision: number;
  removed_at: number;
}

/** How far the listing of a connection's latest sync has come. */
interface CrawlCheckpointRow {
  connection_id: number;
  /** Tells the sync, whichever process goes on with it; null once it is over. */
  sync_started_at: number | null;
  /** The number of its first run. */
  first_run: number;
  /** When it began, by the provider's clock. */
  begun_at: number | null;
  /** When the last listing before it began that came to its end, by the provider's clock. */
  previous_at: number | null;
  /** 1 once it has come to its end, and the texts to be read again are marked. */
  is_done: Generated<number>;
}

/** A source of rows that folds into a database. */
interface DataSourceRow {
  connection_id: number;
  id: Uint8Array;
  database_id: Uint8Array;
  /** When its rows were listed to their end, by the provider's clock at the beginning. */
  listed_at: number | null;
}

/** A block in which pages or databases hang. */
interface BlockRow {
  connection_id: number;
  id: Uint8Array;
  /** The page, database, data source or block that it hangs in itself; null where that leads nowhere. */
  container_id: Uint8Array | null;
}

/** The sync that a connection awaits or has under way; none where it rests. */
interface SyncJobRow {
  connection_id: number;
  /** Smaller numbers go first. */
  priority: number;
  /** 1 where also what search does not list is to be read. */
  full: Generated<number>;
  /** When it may be begun; while it is under way, when another worker may begin it should this one fall silent. */
  due_at: number;
  /** How often it was begun and did not come to an end. */
  attempts: Generated<number>;
  /** The priority with which somebody asked, while it was under way, for what it may have missed. */
  asked_again: number | null;
  /** The worker that has it under way. */
  worker: string | null;
  leased_until: number | null;
}

interface SyncReportRow {
  id: Generated<number>;
  connection_id: number;
  finished_at: number;
  /** JSON of a `SyncReport`. */
  report: string;
}

/** A grant that is still to be given back. */
interface RevocationRow {
  id: Generated<number>;
  provider: string;
  sealed_token: Uint8Array;
  attempts: Generated<number>;
  due_at: number;
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

interface ReferenceRow {
  connection_id: number;
  from_id: Uint8Array;
  /** What holds the reference: each source is replaced as a whole. */
  source: ReferenceSource;
  /** Place among the references of its source. */
  position: number;
  type: Exclude<EdgeType, "child">;
  target_id: Uint8Array;
  name: string | null;
  /** What the text calls the target. */
  target_name: string | null;
  count: number;
}

export type ReferenceSource = "properties" | "text";

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
import type { AppResource } from "../model/service-token.ts";
import type { FoundBy } from "../model/sync-report.ts";

/**
 * The rows of every table; they never leave the store. Times are milliseconds since the Unix epoch, node ids are 16 bytes, JSON
 * is text, hashes are the 32 bytes of a SHA-256. Text may hold U+0000; half a surrogate pair becomes U+FFFD, since UTF-8
 * cannot hold it. Columns without a comment mean what the fields of the same name mean, in the models or in queries/.
 */
export interface Tables {
  schema_migrations: {
    version: number;
    name: string;
    /** The version of the Clew that ran it; null if it was one that did not say so. */
    program: Generated<string | null>;
    /** Programs stop that know no schema as new as this one; 0 for none. */
    stops_before: Generated<number>;
  };
  installation: {
    id: number;
    sealed_key_check: Uint8Array;
    next_key_check: Uint8Array | null;
    /** Identifies the installation: the SHA-256 of the first key check. */
    fingerprint: Uint8Array;
    /** The key that seals registrations of clients; null before the first one. */
    sealed_client_key: Uint8Array | null;
    /** Of the encryption key; null until a Clew that knows it has started with the key. */
    key_fingerprint: string | null;
    /** When the last backup that Clew knows of was complete and checked; null for none. */
    backed_up_at: number | null;
    /** Which bucket the database is; null if there was never more than one. */
    bucket: number | null;
    /** Of the home bucket; null with `bucket`. */
    home_fingerprint: Uint8Array | null;
  };
  /** In the home bucket alone. */
  people: {
    /** Of the provider and the person's id there. */
    person_hash: Uint8Array;
    bucket: number;
  };
  users: {
    id: string;
    provider: string;
    provider_user_id: string;
    name: string | null;
    email: string | null;
    avatar_url: string | null;
    created_at: number;
    last_sign_in_at: number;
    /** The bucket that the person is being moved to; null at all other times. It is set in both buckets. */
    moving: number | null;
  };
  connections: {
    id: Generated<number>;
    /** null once it is removed. */
    user_id: string | null;
    /** The slug of the source. */
    provider: Generated<string>;
    /** Of the person who gave the grant, if that is not the user; empty if they have none. */
    granted_email: string | null;
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
    complete_as_of: number | null;
    edits_as_of: number | null;
    /** Grows with every change of the graph. */
    revision: Generated<number>;
    /** Random, another with each revision. null before the first one. */
    graph_mark: string | null;
    /** The revision of the served graph. */
    published_revision: Generated<number>;
    /** null before the first time, and for a graph that an earlier Clew published. */
    published_at: Generated<number | null>;
    sync_state: SyncState;
    sync_phase: SyncPhase | null;
    sync_done: number;
    sync_total: number | null;
    sync_started_at: number | null;
    sync_finished_at: number | null;
    sync_error: string | null;
    sync_outcome: SyncOutcome | null;
    sync_waiting_until: number | null;
    swept_at: number | null;
    withdrawn_at: number | null;
    /** When it was removed; its rows are deleted after that. null while it is in use. */
    removed_at: number | null;
    /** Bytes of its nodes, texts and references, kept by triggers. */
    stored_bytes: Generated<number>;
    /** Tombstones up to this revision are deleted. */
    forgotten_revision: Generated<number>;
    /** Texts show the titles that nodes had at this revision, or later ones. */
    shown_titles_revision: Generated<number>;
    /** Whether its tags are nodes. */
    tags: Generated<number>;
  };
  /** The folders that are served, or were. In the home bucket alone. */
  folders: {
    workspace_id: string;
    path: string;
    /** null since another folder has it. */
    slug: string | null;
  };
  sessions: {
    id: string;
    user_id: string;
    user_agent: string | null;
    created_at: number;
    last_refreshed_at: number | null;
    refresh_expires_at: number;
    ended_at: number | null;
  };
  sign_in_codes: { code_hash: Uint8Array; expires_at: number };
  sign_in_attempts: {
    state_hash: Uint8Array;
    browser_hash: Uint8Array;
    expires_at: number;
    /** The slug of the source. */
    provider: Generated<string>;
    /** The account that gets the connection, and the session that asked for it; null if the sign-in opens one. */
    user_id: string | null;
    session_id: string | null;
  };
  service_tokens: {
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
    /** May be in the future for a token in its overlap. */
    revoked_at: number | null;
    /** Whether it works until `revoked_at`. */
    in_overlap: Generated<number>;
    last_used_at: number | null;
    created_by_browser: string | null;
    /** This and the next four columns are null for a token that was made by hand. */
    client_name: string | null;
    /** Of the client id. */
    client_hash: Uint8Array | null;
    redirect_uri: string | null;
    resource: AppResource | null;
    /** Of the code that it was given for. */
    code_hash: Uint8Array | null;
  };
  app_requests: {
    request_hash: Uint8Array;
    browser_hash: Uint8Array;
    /** JSON object. */
    parameters: string;
    expires_at: number;
  };
  app_codes: {
    code_hash: Uint8Array;
    user_id: string;
    /** The session in which the person approved. */
    session_id: string;
    client_id: string;
    client_name: string;
    redirect_uri: string;
    challenge: string;
    resource: AppResource;
    /** JSON array. */
    scopes: string;
    /** JSON array. */
    workspace_ids: string;
    expires_in_days: number;
    created_by_browser: string | null;
    expires_at: number;
  };
  client_documents: {
    client_id: string;
    /** JSON object. */
    document: string;
    fetched_at: number;
  };
  audit: {
    id: Generated<number>;
    user_id: string;
    at: number;
    event: AuditEvent;
    /** No foreign keys: the trail outlives sessions and tokens. */
    session_id: string | null;
    token_id: number | null;
    token_name: string | null;
    token_prefix: string | null;
    successor_id: number | null;
    workspace_id: string | null;
    reason: string | null;
    address: string | null;
    user_agent: string | null;
  };
  signing_keys: { kid: string; sealed_secret: Uint8Array; created_at: number; retired_at: number | null };
  nodes: {
    connection_id: number;
    id: Uint8Array;
    type: NodeType;
    title: string;
    /** JSON array of its aliases; null if it has none. */
    aliases: string | null;
    icon: string | null;
    url: string | null;
    parent_id: Uint8Array | null;
    created_at: number;
    updated_at: number;
    /** JSON object. */
    properties: string;
    content_state: ContentState;
    content_error: string | null;
    found_by: Generated<FoundBy>;
    /** When the stored text was requested, by the provider's clock; null if Clew did not keep that. */
    read_at: number | null;
    text_state: Generated<TextState>;
    container_id: Uint8Array | null;
    unsettled: Generated<number>;
    /** The revision that added the node. */
    added_revision: Generated<number>;
    /** The revision of the latest change of its facts, its text or its references. */
    changed_revision: Generated<number>;
    /** The revisions with which its aspects last changed; 0 if Clew has seen no change since it added the node. */
    title_revision: Generated<number>;
    text_revision: Generated<number>;
    parent_revision: Generated<number>;
    properties_revision: Generated<number>;
    references_revision: Generated<number>;
    /** The revision with which Clew last saw that the node was edited: with another `updated_at`; 0 for never. */
    edited_revision: Generated<number>;
    /** The revision with which a title that its text shows of another node last changed; 0 for never. */
    retitled_revision: Generated<number>;
    /** Of the properties that do not follow from the title or the last edit; null if not known. */
    properties_digest: string | null;
    /** The provider's ids of who made and who last edited it; null if it does not say. */
    created_by: string | null;
    edited_by: string | null;
    /** The set of its `markTraits`: a bit for each. */
    marks: Generated<number>;
    /** JSON array of the names of properties whose values could not be read; null if there are none. */
    unread: string | null;
    /** JSON object (`Verification`); null if it has none. */
    verification: string | null;
    /** The text of a database, from which `contents` has it; null if it has none. */
    description: string | null;
  };
  /** The name of each author of nodes; null if the provider does not disclose it. */
  authors: { connection_id: number; id: string; name: string | null };
  contents: {
    connection_id: number;
    node_id: Uint8Array;
    markdown: string;
    total_chars: number;
    digest: string;
    /** The node's `updated_at` when this text was saved. */
    updated_at: number;
    /**
     * The places of the references of the source `text`: a JSON array that has, at the position of each, the array of its
     * offsets in code points; null if they were not located yet.
     */
    reference_offsets: string | null;
  };
  node_references: {
    connection_id: number;
    from_id: Uint8Array;
    /** The part of the node that has it: the references of a source are replaced together. */
    source: ReferenceSource;
    /** Position among the references of its source. */
    position: number;
    type: Exclude<EdgeType, "child">;
    target_id: Uint8Array;
    name: string | null;
    target_name: string | null;
    count: number;
  };
  /** One for each removal of a node: a node that comes back keeps its earlier tombstones. */
  tombstones: {
    connection_id: number;
    node_id: Uint8Array;
    added_revision: number;
    revision: number;
    removed_at: number;
  };
  /** How far the listing of a connection's latest sync got. */
  crawl_checkpoints: {
    connection_id: number;
    /** Identifies the sync, whichever process continues it; null once it has ended. */
    sync_started_at: number | null;
    /** When the listing started, by the provider's clock. */
    begun_at: number | null;
    /** When the latest completed listing before it started, by the provider's clock. */
    previous_at: number | null;
    /** 1 once the listing is complete and the texts to read again are marked. */
    is_done: Generated<number>;
    /** When the latest reading of edits that missed nothing began to list, by the provider's clock. */
    edits_at: number | null;
  };
  /** The nodes that look-ups of a connection's unfinished sync found: its next run need not look them up again. */
  looked_up_nodes: { connection_id: number; id: Uint8Array };
  /** The map by links of a connection (GRAPH-30). The members of the map are null before the first one is made. */
  maps: {
    connection_id: number;
    /** The instance that makes the next one, and until when it alone may. */
    worker: string | null;
    leased_until: number | null;
    /** The version of the graph that it is of. */
    graph_version: number | null;
    /** Identifies `bytes`. */
    digest: string | null;
    /** The map as `writeMap` of packages/graph writes it. */
    bytes: Uint8Array | null;
    /** The state that the next map needs of this one, so that places stay. */
    state: Uint8Array | null;
  };
  data_sources: {
    connection_id: number;
    id: Uint8Array;
    database_id: Uint8Array;
    listed_at: number | null;
    /** JSON array of its columns (model/column.ts); null if they are not known. */
    columns: string | null;
  };
  /** A block that contains pages or databases. */
  blocks: {
    connection_id: number;
    id: Uint8Array;
    /** null if unknown. */
    container_id: Uint8Array | null;
  };
  sync_jobs: {
    connection_id: number;
    priority: number;
    /** Its extent (queries/jobs.ts). Programs of schema 22 and earlier know 0 and 1, and take all others for 0. */
    full: Generated<number>;
    due_at: number;
    attempts: Generated<number>;
    follow_up_priority: number | null;
    /** As `full`. */
    follow_up_full: Generated<number>;
    worker: string | null;
    leased_until: number | null;
    /** JSON array of `NamedObject`s; null for none. */
    named: string | null;
    follow_up_named: string | null;
  };
  /** The instances that share the looks for edits (SYNC-11): one row for each, also of some that have ended. */
  instances: {
    id: string;
    seen_at: number;
    /** When it had looked at all connections that fell to it; null if it has not. */
    looked_at: number | null;
    /** JSON array of the ids of the instances among which it shared the connections. */
    peers: string;
    /** JSON array of the ids of connections that `looked_at` does not hold for. */
    behind: string;
  };
  sync_reports: {
    id: Generated<number>;
    connection_id: number;
    finished_at: number;
    /** JSON of a `SyncReport`. */
    report: string;
  };
  revocations: {
    id: Generated<number>;
    provider: string;
    sealed_token: Uint8Array;
    attempts: Generated<number>;
    due_at: number;
  };
}

export type ReferenceSource = "properties" | "text";

/**
 * How much of a page's text is stored. `unread`: nothing, or nothing is known of it · `whole` · `unsettled`: all of it, but it
 * names something that could not be looked up · `partial`: it could not be read whole.
 */
export type TextState = "unread" | "whole" | "unsettled" | "partial";

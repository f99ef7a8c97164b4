import type { Tables } from "./schema.ts";

/** How the rows of a table follow a person who is moved to another bucket. */
export type PersonTable =
  | {
      /** The column that has the person's id, or the id of one of their connections. */
      readonly by: "id" | "user_id" | "connection_id";
      /** Whether the rows get ids of the new bucket: their order is that of time there. All other ids stay. */
      readonly newIds?: true;
    }
  /** Why its rows stay. */
  | { readonly stays: string };

/** Every table, after those that it refers to, and whether it has rows of a person. */
export const personTables = {
  users: { by: "id" },
  sessions: { by: "user_id" },
  service_tokens: { by: "user_id" },
  app_codes: { by: "user_id" },
  audit: { by: "user_id", newIds: true },
  connections: { by: "user_id" },
  nodes: { by: "connection_id" },
  authors: { by: "connection_id" },
  contents: { by: "connection_id" },
  node_references: { by: "connection_id" },
  tombstones: { by: "connection_id" },
  crawl_checkpoints: { by: "connection_id" },
  data_sources: { by: "connection_id" },
  blocks: { by: "connection_id" },
  looked_up_nodes: { by: "connection_id" },
  maps: { by: "connection_id" },
  sync_jobs: { by: "connection_id" },
  sync_reports: { by: "connection_id", newIds: true },
  signing_keys: { stays: "keys sign for all people of a bucket; the new one gets copies that only verify" },
  revocations: { stays: "a grant to be revoked belongs to nobody any more" },
  people: { stays: "the directory is in the home bucket" },
  sign_in_attempts: {
    stays: "in the home bucket: of nobody yet, or of a session, which is looked for where the person is",
  },
  sign_in_codes: { stays: "in the home bucket, for anybody" },
  app_requests: { stays: "in the home bucket, before it is known who approves" },
  client_documents: { stays: "in the home bucket, of no person" },
  folders: { stays: "in the home bucket, about folders" },
  installation: { stays: "about the database" },
  instances: { stays: "about the processes" },
  schema_migrations: { stays: "about the database" },
} as const satisfies Record<keyof Tables, PersonTable>;

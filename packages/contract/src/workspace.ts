import { type Static, Type } from "typebox";
import { closed, Id, named, nullable, oneOf, ref, Timestamp } from "./schema.ts";

/** The path parameter of operations on one workspace. */
export const WorkspacePath = Type.Object({
  id: Type.String({ description: "The provider's id of the workspace, as listed by `workspaces/`" }),
});

const connection = {
  id: Type.String({ description: "Id of the workspace at the provider" }),
  provider: Type.String({ description: "Slug of the source that has it" }),
  name: nullable(Type.String()),
  icon: nullable(Type.String()),
  status: oneOf(["active", "needs_reauth"]),
};

/** A workspace that a user is connected to, as `me` and `status` show it. */
export const Connection = named(
  "Connection",
  Type.Object({ ...connection, last_synced_at: nullable(Timestamp) }),
);
export type Connection = Static<typeof Connection>;

export const syncStates = ["queued", "running", "waiting", "idle", "failed"] as const;
export const syncPhases = ["titles", "content"] as const;

export const syncOutcomes = ["complete", "incomplete", "failed"] as const;

export type SyncState = (typeof syncStates)[number];
export type SyncPhase = (typeof syncPhases)[number];
export type SyncOutcome = (typeof syncOutcomes)[number];

/** The progress of a sync lists at most this many failed pages. Its report lists more. */
export const failedPagesShown = 20;

/** A page whose text could not be read, and why. */
export const FailedPage = named(
  "FailedPage",
  Type.Object({ node_id: Id, title: Type.String(), reason: Type.String() }),
);
export type FailedPage = Static<typeof FailedPage>;

export const SyncProgress = named(
  "SyncProgress",
  Type.Object({
    state: oneOf(syncStates),
    phase: nullable(oneOf(syncPhases)),
    done: Type.Integer(),
    total: nullable(Type.Integer({ description: "null until the number of pages is known" })),
    started_at: nullable(Timestamp),
    finished_at: nullable(Timestamp),
    error: nullable(Type.String()),
    /** Of the last finished sync; null before the first has ended. */
    outcome: nullable(oneOf(syncOutcomes)),
    waiting_until: nullable(Timestamp),
    failed: Type.Array(ref(FailedPage), {
      description: `At most ${failedPagesShown} pages whose text could not be read. The next sync tries again`,
    }),
    failed_total: Type.Integer(),
  }),
);
export type SyncProgress = Static<typeof SyncProgress>;

/** A readable workspace with the size and freshness of its graph (GRAPH-1). */
export const Workspace = named(
  "Workspace",
  Type.Object({
    ...connection,
    nodes: Type.Integer(),
    edges: Type.Integer(),
    sync: ref(SyncProgress),
    tags: nullable(
      Type.Boolean({ description: "Whether its tags are nodes (SRC-4). null if the source has no tags" }),
    ),
    last_synced_at: nullable(
      Type.String({ format: "date-time", description: "When a sync last ended, complete or not" }),
    ),
    complete_as_of: nullable(
      Type.String({
        format: "date-time",
        description:
          "When the last complete sync began to list: edits until then are in the graph. null before the first complete one",
      }),
    ),
    edits_as_of: nullable(
      Type.String({
        format: "date-time",
        description:
          "When Clew last looked for edits and had all that the provider listed: later than complete_as_of, but removed pages and what search does not list are as of that. null before the first complete sync",
      }),
    ),
  }),
);
export type Workspace = Static<typeof Workspace>;

/** The choices of the owner of a connection. */
export const WorkspaceSettings = named(
  "WorkspaceSettings",
  closed({
    tags: Type.Boolean({ description: "Whether the tags of the pages are nodes of the type `tag`" }),
  }),
);
export type WorkspaceSettings = Static<typeof WorkspaceSettings>;

export const WorkspaceList = named("WorkspaceList", Type.Object({ items: Type.Array(ref(Workspace)) }));
export type WorkspaceList = Static<typeof WorkspaceList>;

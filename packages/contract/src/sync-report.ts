import { type Static, Type } from "typebox";
import { named, nullable, oneOf, ref, Timestamp } from "./schema.ts";
import { FailedPage, syncOutcomes } from "./workspace.ts";

export const syncKinds = ["first", "incremental", "full"] as const;

/** What a sync found and read, and what it could not (SYNC-5). */
export const SyncReport = named(
  "SyncReport",
  Type.Object({
    kind: oneOf(syncKinds),
    outcome: oneOf(syncOutcomes),
    started_at: Timestamp,
    finished_at: Timestamp,
    error: nullable(Type.String({ description: "Why the sync ended early" })),
    found: Type.Object(
      { search: Type.Integer(), rows: Type.Integer(), crawl: Type.Integer() },
      { description: "Pages and databases by what told of them first" },
    ),
    fetched: Type.Integer({ description: "Texts that were read" }),
    removed: Type.Integer(),
    failed: Type.Array(ref(FailedPage), { description: "Pages whose text is not as it should be" }),
    failed_total: Type.Integer(),
    unanswered: Type.Array(Type.String(), { description: "Listings and look-ups that could not be made" }),
    unresolved: Type.Integer({ description: "Threads to pages that were not shared" }),
    orphans: Type.Integer({ description: "Nodes whose parent was not shared" }),
  }),
);
export type SyncReport = Static<typeof SyncReport>;

/** `GET /api/provider-graph/workspaces/<id>/syncs/`: the latest syncs, newest first. */
export const SyncReportList = named("SyncReportList", Type.Object({ items: Type.Array(ref(SyncReport)) }));
export type SyncReportList = Static<typeof SyncReportList>;

import { type Static, Type } from "typebox";
import { named, nullable, oneOf, ref, Timestamp } from "./schema.ts";
import { FailedPage, syncOutcomes } from "./workspace.ts";

export const syncKinds = ["first", "incremental", "full"] as const;

export const unsupportedKinds = ["object", "parent", "property", "block"] as const;

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
    unsupported: Type.Array(
      Type.Object({ kind: oneOf(unsupportedKinds), type: Type.String(), count: Type.Integer() }),
      { description: "What is new to Clew, or what the provider itself cannot show, by its type there" },
    ),
    not_shared: Type.Integer({ description: "Parts of pages that the provider left out as not shared" }),
    unresolved: Type.Integer({ description: "Links to pages that were not shared" }),
    orphans: Type.Integer({ description: "Nodes whose parent was not shared" }),
  }),
);
export type SyncReport = Static<typeof SyncReport>;

/** `GET /api/provider-graph/workspaces/<id>/syncs/`: the latest syncs, newest first. */
export const SyncReportList = named("SyncReportList", Type.Object({ items: Type.Array(ref(SyncReport)) }));
export type SyncReportList = Static<typeof SyncReportList>;

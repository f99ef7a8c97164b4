import { type Static, Type } from "typebox";
import { named, nullable, oneOf, ref, Timestamp } from "./schema.ts";
import { FailedPage, syncOutcomes } from "./workspace.ts";

export const syncKinds = ["first", "incremental", "full"] as const;

export const unsupportedKinds = ["object", "parent", "property", "block"] as const;

/** The report of a sync: the pages that it found, read, and could not read (SYNC-5). */
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
      {
        description:
          "How many pages and databases were found first by each step: search, database rows, following links",
      },
    ),
    fetched: Type.Integer({ description: "Number of page texts that were read" }),
    removed: Type.Integer(),
    failed: Type.Array(ref(FailedPage), {
      description: "Pages whose text could not be read or is incomplete",
    }),
    failed_total: Type.Integer(),
    unanswered: Type.Array(Type.String(), { description: "Requests that the provider did not answer" }),
    unsupported: Type.Array(
      Type.Object({ kind: oneOf(unsupportedKinds), type: Type.String(), count: Type.Integer() }),
      { description: "Types that Clew does not know, or that the provider's API does not show" },
    ),
    not_shared: Type.Integer({ description: "Parts of pages that are not shared with you" }),
    unresolved: Type.Integer({ description: "Links to pages that are not shared with you" }),
    orphans: Type.Integer({ description: "Pages and databases whose parent is not shared with you" }),
    source: nullable(
      Type.Object(
        {
          dialect: nullable(
            Type.String({ description: "The tool by whose rules links were read, such as Obsidian" }),
          ),
          unread: Type.Array(Type.Object({ type: Type.String(), count: Type.Integer() }), {
            description: "Files that were not read, by ending or kind",
          }),
          named: Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
            description: "Up to 100 files that were left out, or read only in part, and why",
          }),
        },
        { description: "How a folder was read; null for other sources" },
      ),
    ),
  }),
);
export type SyncReport = Static<typeof SyncReport>;

/** `GET /api/provider-graph/workspaces/<id>/syncs/`: the latest syncs, newest first. */
export const SyncReportList = named("SyncReportList", Type.Object({ items: Type.Array(ref(SyncReport)) }));
export type SyncReportList = Static<typeof SyncReportList>;

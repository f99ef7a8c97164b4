import { type Static, Type } from "typebox";
import { named, nullable, ref } from "./schema.ts";
import { SyncReport } from "./sync-report.ts";
import { SyncProgress } from "./workspace.ts";

/** Names of the events of `GET /api/provider-graph/workspaces/<id>/events` (GRAPH-15). */
export const syncEvents = ["progress", "completed", "failed"] as const;
export type SyncEventName = (typeof syncEvents)[number];

/** The data of each event: the progress of the sync, and its report once it has ended. */
export const SyncEvent = named(
  "SyncEvent",
  Type.Object({ sync: ref(SyncProgress), report: nullable(ref(SyncReport)) }),
);
export type SyncEvent = Static<typeof SyncEvent>;

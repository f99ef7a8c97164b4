import { type Step, statements } from "../../migrate.ts";

/** How the last sync ended, and when the last complete one did. */
export const syncOutcome: Step = {
  version: 5,
  name: "sync-outcome",
  up: statements(
    "alter table connections add column sync_outcome text",
    "alter table connections add column complete_as_of integer",
    // Earlier programs could call a sync complete that had missed something: the next one reads everything again.
    "update connections set swept_at = null",
  ),
};

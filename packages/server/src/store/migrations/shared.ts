import type { SharedMigration } from "../migrate.ts";
import { freshness } from "./0014-freshness.ts";
import { changesApart } from "./0015-changes-apart.ts";
import { textState } from "./0016-text-state.ts";
import { queues } from "./0017-queues.ts";
import { connectedApps } from "./0018-connected-apps.ts";
import { programVersions } from "./0019-program-versions.ts";
import { sightings } from "./0020-sightings.ts";
import { graphMarks } from "./0021-graph-marks.ts";
import { upkeep } from "./0022-upkeep.ts";
import { due } from "./0023-due.ts";
import { buckets } from "./0024-buckets.ts";
import { looks } from "./0025-looks.ts";
import { maps } from "./0026-maps.ts";
import { moves } from "./0027-moves.ts";
import { activity } from "./0028-activity.ts";
import { sources } from "./0029-sources.ts";
import { authors } from "./0030-authors.ts";
import { tags } from "./0031-tags.ts";
import { nodeIndexes } from "./0032-node-indexes.ts";
import { folders } from "./0033-folders.ts";

/** Every step since databases have the same ones, in order. Each database's `released` has its own steps before them. */
export const shared: readonly SharedMigration[] = [
  freshness,
  changesApart,
  textState,
  queues,
  connectedApps,
  programVersions,
  sightings,
  graphMarks,
  upkeep,
  due,
  buckets,
  looks,
  maps,
  moves,
  activity,
  sources,
  authors,
  tags,
  nodeIndexes,
  folders,
];

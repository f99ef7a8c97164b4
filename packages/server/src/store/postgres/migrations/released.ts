import type { Migration } from "../../migrate.ts";
import { initial } from "./0001-initial.ts";
import { overlaps } from "./0002-overlaps.ts";
import { textLeases } from "./0003-text-leases.ts";
import { nodesByChange } from "./0004-nodes-by-change.ts";
import { freshness } from "./0014-freshness.ts";
import { changesApart } from "./0015-changes-apart.ts";

/** Every step from an empty database to this program's schema, in order. */
export const released: readonly Migration[] = [
  initial,
  overlaps,
  textLeases,
  nodesByChange,
  freshness,
  changesApart,
];

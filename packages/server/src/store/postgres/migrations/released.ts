import { type Migration, stepsOf, unwatched } from "../../migrate.ts";
import { shared } from "../../migrations/shared.ts";
import { initial } from "./0001-initial.ts";
import { overlaps } from "./0002-overlaps.ts";
import { textLeases } from "./0003-text-leases.ts";
import { nodesByChange } from "./0004-nodes-by-change.ts";

/** Every step from an empty database to this program's schema, in order. New ones are in ../../migrations. */
export const released: readonly Migration[] = [
  ...unwatched([initial, overlaps, textLeases, nodesByChange], {
    [overlaps.name]: { service_tokens: "rewrites" },
    [nodesByChange.name]: { nodes: "indexes" },
  }),
  ...stepsOf("postgres", shared),
];

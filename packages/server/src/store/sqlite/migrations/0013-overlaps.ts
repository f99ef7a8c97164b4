import { type Step, statements } from "../../migrate.ts";

/** Which tokens work until their revocation. Of those that were stopped earlier the time decides, as before. */
export const overlaps: Step = {
  version: 13,
  name: "overlaps",
  up: statements(
    "alter table service_tokens add column in_overlap integer not null default 0",
    "update service_tokens set in_overlap = 1 where revoked_at is not null",
  ),
};

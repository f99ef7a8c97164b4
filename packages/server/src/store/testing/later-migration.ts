import { type Effect, type Migration, newestVersion, statements } from "../migrate.ts";
import { shared } from "../migrations/shared.ts";

/** The newest schema of this program. */
export const newest = newestVersion(shared);

/** A migration that a later program may bring, which has `number` more than this one's newest. It adds a column. */
export function laterMigration(effect: Effect, number = 1): Migration {
  const version = newest + number;
  return {
    version,
    name: `later-${number}`,
    since: "9.9.9",
    rows: { users: "rewrites" },
    ...effect,
    up: statements(
      `alter table users add column shoe_size_${number} integer`,
      `update users set shoe_size_${number} = 39`,
    ),
  };
}

/** A later migration that stops all earlier programs. */
export const stopping: Migration = laterMigration({ kind: "contract", stopsBefore: newest + 1 });

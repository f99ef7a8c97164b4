import { type Background, repeat } from "../background/repeat.ts";
import type { Provider } from "../provider/port.ts";
import { removeOldCopies } from "../store/sqlite/kept-copies.ts";
import { clearRemoved } from "./clear-removed.ts";
import { expireWithdrawn } from "./expire-withdrawn.ts";
import type { RemovalParts } from "./remove.ts";
import { revokeDueGrants } from "./revoke-grants.ts";

/** Milliseconds between two looks at what is to be done. */
const intervalMs = 5_000;

/** Milliseconds between two looks at copies that may be too old. */
const copiesPause = 3_600_000;

/** What goes on behind removed and withdrawn connections: each on its own, so that none waits for another. */
export function startUpkeep(
  parts: RemovalParts & { readonly provider: Pick<Provider, "slug" | "revoke"> },
): Background {
  const every = (work: (signal: AbortSignal) => Promise<void>, failed: string) =>
    repeat({ intervalMs, work, onError: (err) => parts.log.error({ err }, failed) });
  const all = [
    every((signal) => revokeDueGrants(parts, signal), "grants could not be given back"),
    every(() => expireWithdrawn(parts), "withdrawn connections could not be removed"),
    every((signal) => clearRemoved(parts.database, signal), "removed graphs could not be deleted"),
    every(() => parts.database.truncateLog(), "the log of the database could not be truncated"),
    repeat({
      intervalMs: copiesPause,
      work: () => removeOldCopies(parts.database.path, parts.clock()),
      onError: (err) => parts.log.error({ err }, "old copies of the database could not be removed"),
    }),
  ];
  return { stop: async () => void (await Promise.all(all.map((one) => one.stop()))) };
}

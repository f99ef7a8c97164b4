import type { Provider } from "../provider/port.ts";
import { clearRemoved } from "./clear-removed.ts";
import { expireWithdrawn } from "./expire-withdrawn.ts";
import type { RemovalParts } from "./remove.ts";
import { revokeDueGrants } from "./revoke-grants.ts";

/** Work to be repeated for as long as the server runs. */
interface Task {
  /** Milliseconds from the end of one run to the beginning of the next. */
  readonly intervalMs: number;
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** What the log says when a run fails. */
  readonly failure: string;
}

const intervalMs = 5_000;
const hourMs = 3_600_000;

/** What follows the removal of connections. Tasks are independent, so that none waits for another. */
export function upkeepTasks(
  parts: RemovalParts & { readonly provider: Pick<Provider, "slug" | "revoke"> },
): readonly Task[] {
  const { database, clock } = parts;
  return [
    {
      intervalMs,
      work: (signal) => revokeDueGrants(parts, signal),
      failure: "failed to revoke grants",
    },
    { intervalMs, work: () => expireWithdrawn(parts), failure: "failed to remove withdrawn connections" },
    {
      intervalMs,
      work: (signal) => clearRemoved(database, signal),
      failure: "failed to delete removed graphs",
    },
    {
      intervalMs,
      work: () => database.upkeep.eraseRemains(),
      failure: "failed to erase what remains of deleted rows",
    },
    {
      intervalMs: hourMs,
      work: () => database.upkeep.removeOldCopies(clock()),
      failure: "failed to remove old copies of the database",
    },
  ];
}

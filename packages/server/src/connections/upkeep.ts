import type { Provider } from "../provider/port.ts";
import { clearRemoved, expireWithdrawn, type RemovalServices } from "./remove.ts";
import { revokeDueGrants } from "./revoke-grants.ts";

/** A task that is repeated for as long as the server runs. */
interface Task {
  /** From the end of one run to the start of the next. */
  readonly intervalMs: number;
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** The log message if a run fails. */
  readonly failure: string;
}

const intervalMs = 5_000;
const hourMs = 3_600_000;

/** What is done in the background after connections were removed. The tasks run independently of each other. */
export function upkeepTasks(
  services: RemovalServices & { readonly provider: Pick<Provider, "slug" | "revoke"> },
): readonly Task[] {
  const { database, clock } = services;
  return [
    {
      intervalMs,
      work: (signal) => revokeDueGrants(services, signal),
      failure: "failed to revoke grants",
    },
    { intervalMs, work: () => expireWithdrawn(services), failure: "failed to remove withdrawn connections" },
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

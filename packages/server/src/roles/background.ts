import type { Config } from "../config/config.ts";
import type { Log } from "../model/log.ts";
import type { Database, SchemaState } from "../store/port.ts";
import { type Background, repeat } from "../sync/jobs/repeat.ts";

/** Milliseconds between two looks at the schema of the database. Each write looks as well. */
const schemaWatchMs = 2_000;

export const dayMs = 86_400_000;

/** Work that repeats in the background. Tasks are independent: none waits for another. */
export interface Task {
  readonly everyMs: number;
  /** Milliseconds to the first run; 0 if left out. */
  readonly delayMs?: number;
  /** The line of the log when a run fails. The next run tries again. */
  readonly failure: string;
  readonly work: (signal: AbortSignal) => Promise<void>;
}

interface TaskServices {
  readonly database: Pick<Database, "schemaFault">;
  readonly log: Log;
}

/** Starts tasks. None runs while the database has a schema that stops this program. */
export function startTasks({ database, log }: TaskServices, tasks: readonly Task[]): Background {
  const running = tasks.map(({ everyMs, delayMs = 0, failure, work }) =>
    repeat({
      delayMs,
      intervalMs: everyMs,
      work: async (signal) => {
        if (database.schemaFault() === null) await work(signal);
      },
      onError: (err) => log.error({ err }, failure),
    }),
  );
  return {
    async stop() {
      await Promise.all(running.map((task) => task.stop()));
    },
  };
}

/** The tasks that each open database needs while it is open, in whichever thread. */
export function databaseTasks(
  { upkeep, clock }: Database,
  { databaseCopyDays }: Pick<Config, "databaseCopyDays">,
): readonly Task[] {
  if (upkeep === undefined) return [];
  return [
    {
      everyMs: 5_000,
      failure: "failed to erase what remains of deleted rows",
      work: () => upkeep.eraseRemains(),
    },
    {
      everyMs: 5_000,
      failure: "failed to check the free room on the disk",
      work: () => upkeep.checkRoom(),
    },
    {
      everyMs: 3_600_000,
      failure: "failed to remove old copies of the database",
      work: () => upkeep.removeOldCopies(clock() - databaseCopyDays * dayMs),
    },
  ];
}

/** Looks which schema the database has, for as long as it is open, and calls back with what it finds (OPS-4). */
export function watchSchema(
  database: Pick<Database, "schemaState">,
  onState: (state: SchemaState) => void = () => {},
): Background {
  const work = async () => onState(await database.schemaState());
  // A database that is away says nothing of its schema.
  return repeat({ intervalMs: schemaWatchMs, work, onError: () => {} });
}

/** Returns a function that logs when another program has migrated the database, and whether this one goes on. */
export function schemaLog(log: Log): (state: SchemaState) => void {
  let before: SchemaState | null = null;
  return (state) => {
    const { version, program, isNewer, fault } = state;
    if (before?.version === version && before.fault === fault) return;
    if (fault !== null) log.error({ schema: version }, `stopped serving and syncing. ${fault}`);
    else if (before !== null && before.fault !== null)
      log.info({ schema: version }, "serving and syncing again");
    else if (isNewer)
      log.info(
        { schema: version },
        `Clew ${program} has migrated the database; this instance may go on beside it`,
      );
    before = state;
  };
}

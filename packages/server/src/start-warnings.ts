import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import {
  clockAdvice,
  describeDifference,
  diskAdvice,
  freeBytesAt,
  judgeClock,
  judgeFreeBytes,
} from "./model/machine.ts";
import type { Clock } from "./model/runtime.ts";
import type { ConnectionRoom, Database } from "./store/port.ts";

/** The part of the log that warnings need. */
type Log = Pick<FastifyBaseLogger, "warn">;

interface Machine {
  readonly clock: Clock;
  readonly log: Log;
  /** Free bytes on the disk of a path. */
  readonly freeBytes?: (path: string) => Promise<number>;
}

/** Warns of conditions of this machine that Clew starts with all the same: a clock that is off, a disk that is nearly full. */
export async function warnOfMachine(
  { location, clock, connectionRoom }: Pick<Database, "location" | "clock" | "connectionRoom">,
  machine: Machine,
): Promise<void> {
  if (location.kind === "postgres") {
    warnOfClock(machine, clock(), "the database's");
    if (connectionRoom !== undefined) warnOfConnections(machine, await connectionRoom());
    return;
  }
  const { mtimeMs } = await stat(location.path);
  // A machine without a clock of its own begins in the past after a power failure.
  if (mtimeMs > machine.clock()) warnOfClock(machine, mtimeMs, "the last change of the database");
  const free = await (machine.freeBytes ?? freeBytesAt)(dirname(location.path));
  if (judgeFreeBytes(free) === "ok") return;
  const freeMegabytes = Math.floor(free / 1e6);
  machine.log.warn(
    { freeMegabytes, path: location.path },
    `Only ${freeMegabytes} MB are free on the disk of the database. ${diskAdvice}`,
  );
}

/** Warns if the database server may refuse connections of this instance once it is busy. */
function warnOfConnections({ log }: Machine, { own, limit, open }: ConnectionRoom): void {
  if (own <= limit - open) return;
  log.warn(
    { own, limit, open },
    `This instance opens up to ${own} connections to PostgreSQL, which takes ${limit} of all clients and has ${open} open: raise its max_connections, lower connection_limit in DATABASE_URL, or put pgbouncer in between`,
  );
}

function warnOfClock({ clock, log }: Machine, other: number, whose: string): void {
  const differenceMs = clock() - other;
  if (judgeClock(differenceMs) === "ok") return;
  const difference = describeDifference(differenceMs, whose);
  log.warn(
    { differenceMs: Math.round(differenceMs) },
    `The clock of this machine is ${difference}. ${clockAdvice}`,
  );
}

/** Returns a `fetch` that compares the clock with the `Date` of the first answer of the provider (RFC 9110, section 6.6.1). */
export function watchProviderClock(
  fetch: typeof globalThis.fetch,
  machine: Machine,
): typeof globalThis.fetch {
  let isCompared = false;
  return async (input, init) => {
    const response = await fetch(input, init);
    const date = Date.parse(response.headers.get("date") ?? "");
    if (!isCompared && !Number.isNaN(date)) {
      isCompared = true;
      warnOfClock(machine, date, "the provider's");
    }
    return response;
  };
}

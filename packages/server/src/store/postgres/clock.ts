import type { Clock } from "../../model/runtime.ts";

/** Milliseconds between two readings of the server's clock. */
const readingIntervalMs = 10_000;

/** Readings in a row. The most precise counts: the first one may have to open a connection. */
const readingsEach = 5;

/** Milliseconds for which a more precise reading is preferred to a newer one. */
const readingValidMs = 60_000;

/** One reading of the server's clock, taken at some moment of the round trip. */
interface Reading {
  /** The server's time less this process's monotonic time, exact to half of the round trip. */
  readonly offset: number;
  readonly roundTrip: number;
  readonly at: number;
}

/**
 * The server's clock, by which all instances decide what has expired, whatever the clocks of their machines say. Between
 * readings it advances with this process's monotonic clock, also while the process is stopped.
 */
export async function createServerClock(
  readServer: () => Promise<number>,
  monotonic: Clock,
): Promise<{ readonly clock: Clock; stop(): void }> {
  const readOnce = async (): Promise<Reading> => {
    const sent = monotonic();
    const time = await readServer();
    const received = monotonic();
    return { offset: time - (sent + received) / 2, roundTrip: received - sent, at: received };
  };
  const read = async (): Promise<Reading> => {
    let precise = await readOnce();
    for (let count = 1; count < readingsEach; count += 1) {
      const next = await readOnce();
      if (next.roundTrip <= precise.roundTrip) precise = next;
    }
    return precise;
  };
  let best = await read();
  const refresh = async () => {
    const latest = await read();
    const isOld = latest.at - best.at > readingValidMs;
    // Beyond both round trips the server's clock itself was set.
    const wasSet = Math.abs(latest.offset - best.offset) > (latest.roundTrip + best.roundTrip) / 2;
    if (isOld || wasSet || latest.roundTrip <= best.roundTrip) best = latest;
  };
  // While the server is away nothing that needs its time can be done either.
  const timer = setInterval(() => void refresh().catch(() => {}), readingIntervalMs).unref();
  return { clock: () => Math.round(monotonic() + best.offset), stop: () => clearInterval(timer) };
}

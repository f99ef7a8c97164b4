import type { Graphs } from "../graph-cache/graphs.ts";
import type { Clock } from "../model/runtime.ts";

/** Publishes what a run has written so far. */
export interface Publisher {
  publish(): Promise<void>;
  /** Publishes unless that was done a short while ago (SYNC-2). */
  publishIfDue(): Promise<void>;
}

/** Milliseconds between two publications while a run goes on. */
const interval = 30_000;

export function createPublisher(
  graphs: Pick<Graphs, "publish">,
  connectionId: number,
  clock: Clock,
): Publisher {
  let last = clock();
  const publish = async () => {
    last = clock();
    await graphs.publish(connectionId);
  };
  return {
    publish,
    async publishIfDue() {
      if (clock() - last >= interval) await publish();
    },
  };
}

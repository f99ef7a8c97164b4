import { workerData } from "node:worker_threads";
import { answerCalls } from "../thread.ts";
import { atWork, markWorkIn } from "../work-mark.ts";

/** The names of pieces of work, in order: each takes 5 ms of processor time, but `endless` never comes to an end. */
export type MarkedWork = readonly string[];

/** The data that the thread is started with. */
export interface MarkingData {
  readonly mark: SharedArrayBuffer;
  /** Work that is left out. */
  readonly leftOut: readonly string[];
}

// Its test starts it with these.
const { mark, leftOut } = workerData as MarkingData;
markWorkIn(mark);

answerCalls<MarkedWork, readonly string[]>((names) =>
  names.filter((name) => {
    if (leftOut.includes(name)) return false;
    atWork(name, () => {
      if (name === "endless") for (;;);
      const before = process.threadCpuUsage().user;
      while (process.threadCpuUsage().user - before < 5_000);
    });
    return true;
  }),
);

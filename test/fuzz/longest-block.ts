/** The longest that one request may keep the server's thread from everything else, in milliseconds. */
export const maxBlock = 50;

/** A finished work with the longest time that it blocked this thread. */
export interface Measured<Result> {
  readonly result: Result;
  /** Milliseconds of processor time of this thread between two turns of its event loop. */
  readonly block: number;
}

/**
 * Runs work, and looks at the processor time of this thread at each turn of its event loop meanwhile. Other threads and processes
 * do not count, however busy the machine is.
 */
export async function measureBlock<Result>(work: () => Promise<Result>): Promise<Measured<Result>> {
  let block = 0;
  let isDone = false;
  let last = threadTime();
  const look = () => {
    const now = threadTime();
    block = Math.max(block, now - last);
    last = now;
  };
  const turn = () => {
    look();
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    const result = await work();
    look();
    return { result, block };
  } finally {
    isDone = true;
  }
}

function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/**
 * Milliseconds of processor time of this thread, which other work of the machine hardly affects. The system adds it up now
 * and then: over a millisecond or more it is right on average.
 */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const cell = new Int32Array(new SharedArrayBuffer(4));

/** The same exactly: the system adds it up whenever a thread sleeps. */
export function exactCpuMs(): number {
  Atomics.wait(cell, 0, 0, 0.05);
  return cpuMs();
}

import { readFileSync } from "node:fs";

/** Ticks a second in which Linux counts processor time for everybody, whatever its kernel was built with. */
const ticksPerSecond = 100;

/**
 * Seconds of processor time that a process and all of its threads took so far, for themselves and in the kernel; NaN
 * where the system has no `/proc` to tell it (proc_pid_stat(5): `utime` and `stime`).
 */
export function cpuSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The program's name stands in brackets and may hold anything; the third field follows it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  } catch {
    return Number.NaN;
  }
}

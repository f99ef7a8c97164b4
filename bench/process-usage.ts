import { readFileSync } from "node:fs";

/** Linux reports processor time in ticks of this frequency, whatever its kernel's own frequency is. */
const ticksPerSecond = 100;

/**
 * Seconds of processor time that a process and all of its threads have used, in user mode and in the kernel
 * (proc_pid_stat(5): `utime` and `stime`). NaN if the system has no `/proc`.
 */
export function cpuSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The program's name is in brackets and may contain any character; the third field follows it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  } catch {
    return Number.NaN;
  }
}

/** Resident bytes of a process, now and at most so far (proc_pid_status(5): `VmRSS` and `VmHWM`). */
export function memoryOf(pid: number): { readonly resident: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1024;
  return { resident: read("VmRSS"), peak: read("VmHWM") };
}

/** Seconds for which this thread has computed since `before`, however busy the machine is. What takes quadratic time takes far longer. */
export function cpuSeconds(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1e6;
}

/** Measures the processor time of each turn of the event loop, which other work of the machine does not affect. */
export function watchStretches(): { longest(): number } {
  let longest = 0;
  let isWatching = true;
  let before = process.threadCpuUsage();
  const turn = () => {
    const now = process.threadCpuUsage();
    longest = Math.max(longest, now.user + now.system - before.user - before.system);
    before = now;
    if (isWatching) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    longest() {
      isWatching = false;
      return longest / 1000;
    },
  };
}

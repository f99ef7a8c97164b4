/** Answers from memory what was read since the last commit, and reads it otherwise. */
export type Remember = <Value>(key: string, read: () => Promise<Value>) => Promise<Value>;

/**
 * A memory of reads that is as fresh as the database: `version` changes with every commit of any process, and then
 * everything is forgotten. A key stands for one kind of read. At most `capacity` of them are kept.
 */
export function createMemory(version: () => number, capacity: number): Remember {
  let asOf = Number.NaN;
  const known = new Map<string, Promise<unknown>>();
  return <Value>(key: string, read: () => Promise<Value>): Promise<Value> => {
    // Asked before reading: what is read later than this can only be newer.
    const now = version();
    if (now !== asOf) known.clear();
    asOf = now;
    const before = known.get(key);
    // A key always stands for the same kind of read.
    if (before !== undefined) return before as Promise<Value>;
    if (known.size >= capacity) known.clear();
    const reading = read();
    known.set(key, reading);
    reading.catch(() => known.get(key) === reading && known.delete(key));
    return reading;
  };
}

/** The share of the limit up to which large syncs are begun; the rest is for running ones to grow. */
const shareToBegin = 0.9;

export type MemoryBudget = ReturnType<typeof createMemoryBudget>;

/**
 * The memory that the syncs of a process may hold together: `limit` bytes. A sync that exceeds the limit by itself runs as
 * the only large one. A sync that holds at most `small` bytes never waits for a large one: the large one is suspended.
 */
export function createMemoryBudget({ limit, small }: { limit: number; small: number }) {
  const heldBy = new Map<number, number>();
  /** The bytes that suspended syncs held: they need as many again. */
  const suspended = new Map<number, number>();
  const limitToBegin = limit * shareToBegin;
  const isLarge = (bytes: number) => bytes > small;
  const sum = (counts: (bytes: number) => boolean) =>
    [...heldBy.values()].filter(counts).reduce((total, bytes) => total + bytes, 0);
  /** Bytes that all syncs hold. */
  const held = () => sum(() => true);

  return {
    held,
    /** Whether a sync that will hold `bytes` fits beside those that run. */
    hasRoomFor(connectionId: number, bytes: number): boolean {
      const needed = Math.max(bytes, suspended.get(connectionId) ?? 0);
      if (!isLarge(needed)) return sum((other) => !isLarge(other)) + needed <= limit;
      return held() + needed <= limitToBegin || (needed > limitToBegin && sum(isLarge) === 0);
    },
    /** Notes how many bytes a sync holds now. */
    hold(connectionId: number, bytes: number): void {
      heldBy.set(connectionId, bytes);
      suspended.delete(connectionId);
    },
    /** A sync has ended. */
    release(connectionId: number): void {
      heldBy.delete(connectionId);
    },
    /** The sync to suspend because all together hold too much; it counts no more. Null if none must be. */
    chooseToSuspend(): number | null {
      if (held() <= limit) return null;
      const large = [...heldBy]
        .filter(([, bytes]) => isLarge(bytes))
        .sort(([, one], [, other]) => other - one);
      const [largest] = large;
      if (largest === undefined || (large.length === 1 && largest[1] > limitToBegin)) return null;
      const [connectionId, bytes] = largest;
      heldBy.delete(connectionId);
      suspended.set(connectionId, bytes);
      return connectionId;
    },
  };
}

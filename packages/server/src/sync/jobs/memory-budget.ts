/** The memory that the syncs of a process may hold together: as many are open as fit, however many that are. */
export interface MemoryBudget {
  /** Whether a sync that will hold so many bytes fits beside those that are open. */
  hasRoomFor(connectionId: number, bytes: number): boolean;
  /** Notes how many bytes a sync holds now. */
  hold(connectionId: number, bytes: number): void;
  /** A sync has ended. */
  release(connectionId: number): void;
  /** The sync that gives way because all together hold too much; it counts no more. null where none must. */
  giveWay(): number | null;
  /** Bytes that all syncs hold. */
  held(): number;
}

/** The share of the limit up to which large syncs are begun: the rest is for those that are open to grow. */
const shareToBegin = 0.9;

/**
 * Keeps to `limit` bytes, with one exception: the sync of a workspace that fills it alone runs as the only large one. A
 * sync that holds no more than `small` bytes never waits for a large one: the large one gives way.
 */
export function createMemoryBudget({ limit, small }: { limit: number; small: number }): MemoryBudget {
  const holders = new Map<number, number>();
  /** What syncs held that gave way: they need as much again. */
  const gaveWay = new Map<number, number>();
  const limitToBegin = limit * shareToBegin;
  const isLarge = (bytes: number) => bytes > small;
  const sum = (counts: (bytes: number) => boolean) =>
    [...holders.values()].filter(counts).reduce((total, bytes) => total + bytes, 0);
  const held = () => sum(() => true);

  return {
    held,
    hasRoomFor(connectionId, bytes) {
      const needed = Math.max(bytes, gaveWay.get(connectionId) ?? 0);
      if (!isLarge(needed)) return sum((other) => !isLarge(other)) + needed <= limit;
      return held() + needed <= limitToBegin || (needed > limitToBegin && sum(isLarge) === 0);
    },
    hold(connectionId, bytes) {
      holders.set(connectionId, bytes);
      gaveWay.delete(connectionId);
    },
    release(connectionId) {
      holders.delete(connectionId);
    },
    giveWay() {
      if (held() <= limit) return null;
      const large = [...holders]
        .filter(([, bytes]) => isLarge(bytes))
        .sort(([, one], [, other]) => other - one);
      const [largest] = large;
      if (largest === undefined || (large.length === 1 && largest[1] > limitToBegin)) return null;
      const [connectionId, bytes] = largest;
      holders.delete(connectionId);
      gaveWay.set(connectionId, bytes);
      return connectionId;
    },
  };
}

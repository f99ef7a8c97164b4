import DataLoader from "dataloader";
import type { ReadHandle } from "../port.ts";
import { profileOf } from "./profile.ts";

/** Reads that share a statement at most. */
const maxShared = 64;

/**
 * A read of one thing. If each statement is a round trip, all reads that are asked in one turn of the event loop share one:
 * `read` takes their keys, and returns what it found in the same order. Each still sees all commits before it was asked.
 */
export function sharedRead<Key, Found>(
  read: (db: ReadHandle, keys: readonly Key[]) => Promise<readonly Found[]>,
): (db: ReadHandle, key: Key) => Promise<Found> {
  const loaders = new WeakMap<ReadHandle, DataLoader<Key, Found>>();

  function loaderOf(db: ReadHandle): DataLoader<Key, Found> {
    const known = loaders.get(db);
    if (known !== undefined) return known;
    const loader = new DataLoader((keys: readonly Key[]) => read(db, keys), {
      cache: false,
      maxBatchSize: maxShared,
      batchScheduleFn: setImmediate,
    });
    loaders.set(db, loader);
    return loader;
  }

  return async (db, key) => {
    if (!db.isTransaction && profileOf(db).sharesReads) return loaderOf(db).load(key);
    const [found] = await read(db, [key]);
    // It returns something for each key, which may be undefined itself.
    return found as Found;
  };
}

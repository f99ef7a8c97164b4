import { setImmediate } from "node:timers/promises";
import type { ReadHandle } from "./port.ts";
import { profileOf } from "./profile.ts";

/** Reads that share a statement at most. */
const maxShared = 64;

/** Reads that are gathered for one statement. */
interface Batch<Key, Found> {
  readonly keys: Key[];
  readonly found: Promise<readonly Found[]>;
}

/**
 * A read of one thing. Where each statement is a round trip, all that are asked in one turn of the event loop share one:
 * `read` takes their keys, and returns what it found in the same order. Each still sees all commits before it was asked.
 */
export function sharedRead<Key, Found>(
  read: (db: ReadHandle, keys: readonly Key[]) => Promise<readonly Found[]>,
): (db: ReadHandle, key: Key) => Promise<Found> {
  const open = new WeakMap<ReadHandle, Batch<Key, Found>>();

  function batchOf(db: ReadHandle): Batch<Key, Found> {
    const current = open.get(db);
    if (current !== undefined && current.keys.length < maxShared) return current;
    const keys: Key[] = [];
    const found = setImmediate().then(() => {
      if (open.get(db) === batch) open.delete(db);
      return read(db, keys);
    });
    const batch = { keys, found };
    open.set(db, batch);
    return batch;
  }

  return async (db, key) => {
    if (db.isTransaction || !profileOf(db).sharesReads) return at(await read(db, [key]), 0);
    const { keys, found } = batchOf(db);
    const index = keys.push(key) - 1;
    return at(await found, index);
  };
}

function at<Found>(found: readonly Found[], index: number): Found {
  if (index >= found.length) throw new Error("A shared read must return something for each key");
  // There is an element at this index, which may be undefined itself.
  return found[index] as Found;
}

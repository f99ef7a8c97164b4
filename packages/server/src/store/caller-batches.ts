import { setImmediate } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { CallerKey, CallerRecord, Database } from "./port.ts";
import { idOfCaller } from "./queries/callers.ts";

type Records = ReadonlyMap<string, CallerRecord>;

interface CallerSource {
  /** Reads callers from the database, by their ids. */
  readonly find: (keys: readonly CallerKey[]) => Promise<Records>;
  /** A number that changes with every commit of any process; NaN, which equals nothing, if it cannot be read. */
  readonly commitVersion: () => number;
  /** How many records are kept until the next commit. */
  readonly maxRecords: number;
}

/**
 * Answers `Database.callers`. Calls that arrive in one turn of the event loop share a batch, which looks for commits once
 * all of them have been made. Records are kept until the next commit, so a repeated request costs no statement.
 */
export function batchCallers({ find, commitVersion, maxRecords }: CallerSource): Database["callers"] {
  const known = new LRUCache<string, CallerRecord>({ max: maxRecords });
  let knownVersion = Number.NaN;
  let batch: { readonly keys: Map<string, CallerKey>; readonly records: Promise<Records> } | null = null;

  function nextBatch() {
    const keys = new Map<string, CallerKey>();
    const records = setImmediate().then(() => {
      // Later calls are too late for this look at the version.
      batch = null;
      return readAll(keys);
    });
    return { keys, records };
  }

  async function readAll(keys: ReadonlyMap<string, CallerKey>): Promise<Records> {
    const version = commitVersion();
    if (version !== knownVersion) known.clear();
    knownVersion = version;
    const records = new Map<string, CallerRecord>();
    const missing: CallerKey[] = [];
    for (const [id, key] of keys) {
      const record = known.get(id);
      if (record === undefined) missing.push(key);
      else records.set(id, record);
    }
    if (missing.length === 0) return records;
    for (const [id, record] of await find(missing)) {
      records.set(id, record);
      // Another batch may have seen a commit meanwhile, which this record may be older than.
      if (version === knownVersion) known.set(id, record);
    }
    return records;
  }

  return async (keys) => {
    batch ??= nextBatch();
    const ids = keys.map(idOfCaller);
    for (const [index, key] of keys.entries()) batch.keys.set(ids[index] ?? "", key);
    const records = await batch.records;
    return ids.map((id) => records.get(id) ?? null);
  };
}

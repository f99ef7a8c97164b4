import { setImmediate } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { ObserveCache } from "../model/runtime.ts";
import type { CallerKey, CallerRecord, Database } from "./port.ts";
import { idOfCaller } from "./queries/callers.ts";

type Records = ReadonlyMap<string, CallerRecord>;

interface CallerSource {
  /** Reads callers from the database, by their ids. */
  readonly find: (keys: readonly CallerKey[]) => Promise<Records>;
  /**
   * A number that changes with every commit of any process; NaN, which equals nothing, if it cannot be read. Nothing is kept
   * without it.
   */
  readonly commitVersion?: () => number;
  /** How many records are kept until the next commit. */
  readonly maxRecords?: number;
  readonly observeCache?: ObserveCache;
}

/**
 * Answers `Database.callers`. Calls that arrive in one turn of the event loop share a look for commits, once all of them
 * have been made, and a read. Records are kept until the next commit, so a repeated request costs no statement.
 */
export function batchCallers({
  find,
  commitVersion = () => Number.NaN,
  maxRecords = 1,
  observeCache = () => {},
}: CallerSource): Database["callers"] {
  const known = new LRUCache<string, CallerRecord>({ max: maxRecords });
  observeCache({ name: "callers", entries: () => known.size });
  let knownVersion = Number.NaN;
  let look: Promise<void> | null = null;
  let batch: { readonly keys: Map<string, CallerKey>; readonly records: Promise<Records> } | null = null;

  async function lookForCommits(): Promise<void> {
    await setImmediate();
    // Later calls are too late for this look.
    look = null;
    const version = commitVersion();
    if (version !== knownVersion) known.clear();
    knownVersion = version;
  }

  /** All calls of the turn add their keys before the read, since they have waited for the same look. */
  function nextBatch() {
    const keys = new Map<string, CallerKey>();
    const records = Promise.resolve().then(() => {
      batch = null;
      return read([...keys.values()]);
    });
    return { keys, records };
  }

  async function read(keys: readonly CallerKey[]): Promise<Records> {
    const version = knownVersion;
    const records = await find(keys);
    // Another look may have seen a commit meanwhile, which these records may be older than.
    if (version === knownVersion) for (const [id, record] of records) known.set(id, record);
    return records;
  }

  async function recordOf(key: CallerKey): Promise<CallerRecord | null> {
    const id = idOfCaller(key);
    batch ??= nextBatch();
    batch.keys.set(id, key);
    return (await batch.records).get(id) ?? null;
  }

  return async (keys) => {
    look ??= lookForCommits();
    await look;
    const records = keys.map((key) => known.get(idOfCaller(key)));
    if (records.every((record) => record !== undefined)) return records;
    return Promise.all(keys.map((key, index) => records[index] ?? recordOf(key)));
  };
}

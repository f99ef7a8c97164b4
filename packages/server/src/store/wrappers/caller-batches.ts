import DataLoader from "dataloader";
import { LRUCache } from "lru-cache";
import type { ObserveCache } from "../../model/runtime.ts";
import type { CallerKey, CallerRecord, Database } from "../port.ts";
import { idOfCaller } from "../queries/callers.ts";

type Records = ReadonlyMap<string, CallerRecord>;

interface CallerSource {
  /** Reads callers from the database, by their ids. */
  readonly find: (keys: readonly CallerKey[]) => Promise<Records>;
  /**
   * A number that changes with every commit of any process; NaN, which equals nothing, if it cannot be read. Nothing is kept
   * without it.
   */
  readonly commitVersion?: () => number;
  /** The number of records that are kept until the next commit. */
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

  async function recordsOf(keys: readonly CallerKey[]): Promise<(CallerRecord | null)[]> {
    const version = commitVersion();
    if (version !== knownVersion) known.clear();
    knownVersion = version;
    const ids = keys.map(idOfCaller);
    const records = ids.map((id) => known.get(id));
    const unknown = new Map(keys.flatMap((key, at) => (records[at] ? [] : [[ids[at] ?? "", key] as const])));
    if (unknown.size === 0) return records.map((record) => record ?? null);
    const found = await find([...unknown.values()]);
    // Another batch may have seen a commit meanwhile, which these records may be older than.
    if (version === knownVersion) for (const [id, record] of found) known.set(id, record);
    return records.map((record, at) => record ?? found.get(ids[at] ?? "") ?? null);
  }

  const loader = new DataLoader(recordsOf, { cache: false, batchScheduleFn: setImmediate });
  return (keys) => Promise.all(keys.map((key) => loader.load(key)));
}

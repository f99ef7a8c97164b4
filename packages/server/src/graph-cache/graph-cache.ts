import type { Clock } from "../model/runtime.ts";
import { createGraphVersions, type GraphVersions, type PublishedGraph } from "./graph-versions.ts";

/** The graphs that this instance holds: of each connection its versions, of all together no more than fit a budget. */
export interface GraphCache {
  /** The versions of a connection, which are in use from now on. */
  use(connectionId: number): GraphVersions;
  /** The newest graph of a connection, without using it; null where it is not held. */
  peek(connectionId: number): PublishedGraph | null;
  /** Makes this the newest graph of a connection. Where that is too much, those used longest ago are let go. */
  place(connectionId: number, published: PublishedGraph): void;
  /** Bytes that all of it takes up. */
  byteLength(): number;
  /** Lets go of what is too old to be asked for. */
  prune(): void;
  forget(connectionId: number): void;
}

/** `budget` is in bytes. What was placed last stays, and so does what a list is being read in (GRAPH-12). */
export function createGraphCache(clock: Clock, budget: number): GraphCache {
  /** Those used longest ago come first. */
  const byConnection = new Map<number, GraphVersions>();

  function use(connectionId: number): GraphVersions {
    const versions = byConnection.get(connectionId) ?? createGraphVersions(clock);
    byConnection.delete(connectionId);
    byConnection.set(connectionId, versions);
    return versions;
  }

  function prune(): void {
    for (const [connectionId, versions] of byConnection) {
      versions.prune();
      if (versions.byteLength() === 0) byConnection.delete(connectionId);
    }
  }

  const byteLength = () =>
    [...byConnection.values()].reduce((sum, versions) => sum + versions.byteLength(), 0);

  function keepToBudget(placed: GraphVersions): void {
    let held = byteLength();
    for (const versions of byConnection.values()) {
      if (held <= budget) return;
      if (versions === placed) continue;
      held -= versions.byteLength();
      versions.release();
      held += versions.byteLength();
    }
  }

  return {
    use,
    peek: (connectionId) => byConnection.get(connectionId)?.latest() ?? null,
    place(connectionId, published) {
      const versions = use(connectionId);
      versions.place(published);
      prune();
      keepToBudget(versions);
    },
    byteLength,
    prune,
    forget: (connectionId) => void byConnection.delete(connectionId),
  };
}

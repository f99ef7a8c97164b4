import type { Clock } from "../model/clock.ts";
import { createEditions, type Editions, type Published } from "./editions.ts";

/** The graphs that this instance holds: of each connection its editions, of all together no more than fit a budget. */
export interface Shelves {
  /** The editions of a connection, which are in use from now on. */
  use(connectionId: number): Editions;
  /** The newest graph of a connection, without using it; null where it is not held. */
  peek(connectionId: number): Published | null;
  /** Makes this the newest graph of a connection. Where that is too much, those used longest ago are let go. */
  place(connectionId: number, published: Published): void;
  /** Bytes that all of it takes up. */
  byteLength(): number;
  /** Lets go of what is too old to be asked for. */
  prune(): void;
  forget(connectionId: number): void;
}

/** `budget` is in bytes. What was placed last stays, and so does what a list is being read in (GRAPH-12). */
export function createShelves(clock: Clock, budget: number): Shelves {
  /** Those used longest ago come first. */
  const shelves = new Map<number, Editions>();

  function use(connectionId: number): Editions {
    const editions = shelves.get(connectionId) ?? createEditions(clock);
    shelves.delete(connectionId);
    shelves.set(connectionId, editions);
    return editions;
  }

  function prune(): void {
    for (const [connectionId, editions] of shelves) {
      editions.prune();
      if (editions.byteLength() === 0) shelves.delete(connectionId);
    }
  }

  const byteLength = () => [...shelves.values()].reduce((sum, editions) => sum + editions.byteLength(), 0);

  function keepToBudget(placed: Editions): void {
    let held = byteLength();
    for (const editions of shelves.values()) {
      if (held <= budget) return;
      if (editions === placed) continue;
      held -= editions.byteLength();
      editions.letGo();
      held += editions.byteLength();
    }
  }

  return {
    use,
    peek: (connectionId) => shelves.get(connectionId)?.latest() ?? null,
    place(connectionId, published) {
      const editions = use(connectionId);
      editions.place(published);
      prune();
      keepToBudget(editions);
    },
    byteLength,
    prune,
    forget: (connectionId) => void shelves.delete(connectionId),
  };
}

import { ConnectionError, ResponseError } from "@clew/client";

/** Statuses of a service, or a proxy before it, that may be back soon. */
const transientStatuses = new Set([502, 503, 504]);

/** Whether a call failed because Clew cannot be reached or is not ready. */
export function isOutage(error: unknown): boolean {
  return (
    error instanceof ConnectionError ||
    (error instanceof ResponseError && transientStatuses.has(error.status))
  );
}

/** Whether Clew can be reached, as the latest calls found. */
export interface Reachability {
  readonly isReached: () => boolean;
  set(isReached: boolean): void;
  subscribe(listener: () => void): () => void;
}

export function createReachability(): Reachability {
  let isReached = true;
  const listeners = new Set<() => void>();
  return {
    isReached: () => isReached,
    set(next) {
      if (isReached === next) return;
      isReached = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

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
  /** Has those who wait for Clew try again now. */
  retry(): void;
  /** Calls the listener after a change, and when those who wait should try again. */
  subscribe(listener: () => void): () => void;
}

function createReachability(): Reachability {
  let isReached = true;
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of [...listeners]) listener();
  };
  return {
    isReached: () => isReached,
    set(next) {
      if (isReached === next) return;
      isReached = next;
      tell();
    },
    retry: tell,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The reachability of Clew from this page, the same for each session. */
export const reachability = createReachability();

/** The current time in milliseconds since the Unix epoch. Passed as an argument, so that tests control the time. */
export type Clock = () => number;

/** Cryptographically secure random bytes. Passed as an argument, so that tests can seed it. */
export type RandomBytes = (size: number) => Uint8Array;

/**
 * Waits so many milliseconds; throws the signal's reason once it is aborted. Passed as an argument, so that tests need not
 * wait.
 */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** A cache in memory, measured in the unit that limits it. */
export interface CacheSource {
  readonly name: string;
  readonly bytes?: () => number;
  readonly entries?: () => number;
}

/** Receives each cache that is created, for the metrics. */
export type ObserveCache = (cache: CacheSource) => void;

/** The current time in milliseconds since the Unix epoch. Passed as an argument, so that tests control the time. */
export type Clock = () => number;

/** The years 1 to 9999, which every format of dates can show, in milliseconds since the Unix epoch. */
export const timeRange = {
  first: Date.parse("0001-01-01T00:00:00.000Z"),
  last: Date.parse("9999-12-31T23:59:59.999Z"),
};

/** Cryptographically secure random bytes. Passed as an argument, so that tests can seed it. */
export type RandomBytes = (size: number) => Uint8Array;

/** Waits `milliseconds`; throws the signal's reason once it is aborted. Passed as an argument, so that tests need not wait. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

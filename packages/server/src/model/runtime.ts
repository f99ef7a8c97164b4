/** The current time in milliseconds since the Unix epoch. An argument everywhere, so that tests own time. */
export type Clock = () => number;

/** Cryptographically secure random bytes. An argument everywhere, so that tests can seed it. */
export type RandomBytes = (size: number) => Uint8Array;

/** Cryptographically secure random bytes. An argument everywhere, so that tests can seed it. */
export type RandomBytes = (size: number) => Uint8Array;

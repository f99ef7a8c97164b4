/** Where a request came from, so that a person can tell later whether it was theirs. */
export interface Origin {
  /** An IP address; null where none is known. */
  readonly address: string | null;
  /** Enough of the `User-Agent` to recognise a browser or a program by. */
  readonly userAgent: string | null;
}

/** A user who does something, in a session of theirs. */
export interface Actor extends Origin {
  readonly userId: string;
  readonly sessionId: string;
}

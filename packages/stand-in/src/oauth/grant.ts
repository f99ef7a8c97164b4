/** What one person shared with one client. Signing in again changes what is shared, for all tokens of the grant. */
export interface Grant {
  readonly botId: string;
  readonly personId: string;
  readonly clientId: string;
  /** Ids of the shared entries, each with all that lies below it, or the word for everything. */
  readonly sharedIds: readonly string[];
  readonly tokens: readonly TokenPair[];
}

/** The hashes of an access token and its refresh token. Times are milliseconds since the Unix epoch. */
export interface TokenPair {
  /** Empty once it was made to expire. */
  readonly access: string;
  /** Empty where there is none. */
  readonly refresh: string;
  readonly issuedAt: number;
}

/** What an authorization code stands for. */
export interface Consent {
  readonly personId: string;
  readonly sharedIds: readonly string[];
  readonly redirectUri: string;
}

/** A code that was handed out: its hash, and until when it is good. */
export interface IssuedCode extends Consent {
  readonly hash: string;
  readonly until: number;
}

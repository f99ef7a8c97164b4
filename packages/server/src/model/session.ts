/** A session that lives. Times are milliseconds since the Unix epoch. */
export interface LiveSession {
  readonly id: string;
  readonly userAgent: string | null;
  readonly createdAt: number;
  readonly lastRefreshedAt: number | null;
  /** When its refresh token expires. */
  readonly refreshExpiresAt: number;
}

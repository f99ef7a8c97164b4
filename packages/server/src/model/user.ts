/** A person who signed in. Times are milliseconds since the Unix epoch. */
export interface User {
  readonly id: string;
  /** Slug of the provider that vouches for this person. */
  readonly provider: string;
  readonly providerUserId: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly avatarUrl: string | null;
  readonly createdAt: number;
  readonly lastSignInAt: number;
}

/** Milliseconds since the Unix epoch as RFC 3339 UTC with milliseconds. */
export function presentTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** The same for a time that may not have come. */
export function presentOptionalTimestamp(milliseconds: number | null): string | null {
  return milliseconds === null ? null : presentTimestamp(milliseconds);
}

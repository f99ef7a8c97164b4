/**
 * Says that the database cannot be used now: it is away, busy or full. Other threads throw it, because the errors of a
 * driver lose their classes between threads; within a thread `Database.isUnavailable` decides. Requests get 503 (OPS-9).
 */
export class DatabaseUnavailableError extends Error {
  override readonly name = "DatabaseUnavailableError";
}

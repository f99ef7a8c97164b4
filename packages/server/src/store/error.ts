/**
 * Why the database cannot be used.
 * `newer_schema`: it was written by a newer Clew · `unusable`: it cannot be opened or migrated.
 */
export type DatabaseErrorCode = "newer_schema" | "unusable";

/** The database refuses, or is refused, at start. The message is for the operator. */
export class DatabaseError extends Error {
  readonly code: DatabaseErrorCode;

  constructor(code: DatabaseErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "DatabaseError";
    this.code = code;
  }
}

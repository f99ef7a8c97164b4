/** Writes lines of the log: fields that programs can read, and a message for people. */
export interface Log {
  /** The least level that is written; `silent` for none. */
  readonly level: string;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** A log that adds these fields to every line, with a level of its own if one is given. */
  child(fields: object, options?: { readonly level?: string }): Log;
}

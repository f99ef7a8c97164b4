/* Reads what was thrown, which may be anything. */

/** The message of an error, or the text of anything else. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The code of an error, such as `EACCES`; empty if it has none. */
export function codeOf(thrown: unknown): string {
  return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string" ? thrown.code : "";
}

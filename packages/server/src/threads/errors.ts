import type { FieldError, ProblemCode } from "@clew/contract";
import { IndexDamagedError } from "@clew/text-index";
import { type ErrorCodec, ThreadError } from "@clew/threads";
import { ApiError } from "../model/api-error.ts";
import { DatabaseUnavailableError } from "../model/database-unavailable.ts";

/** The meaning of an error of the server's own classes. */
type Meaning =
  | {
      readonly kind: "refusal";
      readonly code: ProblemCode;
      readonly errors: readonly FieldError[];
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: "database-unavailable" }
  | { readonly kind: "index-damaged" };

interface DatabaseOfThread {
  /** Whether the database threw an error because it cannot be used now. */
  isUnavailable(error: unknown): boolean;
}

/**
 * Sends the server's errors between its threads: an `ApiError` stays one, an error of the database that cannot be used now becomes a
 * `DatabaseUnavailableError`, and a damaged text index a `ThreadError` that says so.
 */
export function errorsOf(database: DatabaseOfThread = { isUnavailable: () => false }): ErrorCodec<Meaning> {
  return {
    send(error) {
      if (error instanceof ApiError) {
        const { code, errors, headers } = error;
        return { kind: "refusal", code, errors, headers };
      }
      if (error instanceof ThreadError) return null;
      if (error instanceof IndexDamagedError) return { kind: "index-damaged" };
      const isAway = error instanceof DatabaseUnavailableError || database.isUnavailable(error);
      return isAway ? { kind: "database-unavailable" } : null;
    },
    receive(meaning, message, options) {
      switch (meaning.kind) {
        case "refusal":
          return new ApiError(meaning.code, message, { ...meaning, ...options });
        case "database-unavailable":
          return new DatabaseUnavailableError(message, options);
        case "index-damaged":
          return new ThreadError("damaged", message, options);
      }
    },
  };
}

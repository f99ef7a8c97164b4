import type { FieldError, ProblemCode } from "@clew/contract";
import { IndexDamagedError } from "@clew/text-index";
import { ApiError } from "../model/api-error.ts";
import { DatabaseUnavailableError } from "../model/database-unavailable.ts";

/*
 * Errors between threads. A message from one thread to another keeps no class, so an error is sent as the member of a closed
 * union that says what it means to its receiver.
 */

/** The reason why a call of a thread failed, if not with an `ApiError` or a `DatabaseUnavailableError`. */
export type ThreadFailure =
  /** The thread ended before it was done. */
  | "ended"
  /** The text index that the call was about was replaced: look up the newest. */
  | "stale"
  /** The text index is damaged. */
  | "damaged"
  /** Anything else. */
  | "failed";

export class ThreadError extends Error {
  override readonly name = "ThreadError";
  readonly failure: ThreadFailure;

  constructor(failure: ThreadFailure, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.failure = failure;
  }
}

/** An error as it crosses from one thread to another. */
export type SentError =
  | {
      readonly kind: "refusal";
      readonly code: ProblemCode;
      readonly errors: readonly FieldError[];
      readonly headers: Readonly<Record<string, string>>;
      readonly trace: Trace;
    }
  | { readonly kind: "database-unavailable"; readonly trace: Trace }
  | { readonly kind: "failure"; readonly failure: ThreadFailure; readonly trace: Trace };

/**
 * The part of an error that the log needs. Its other properties stay in their thread: a driver adds addresses, statements and
 * values to its errors.
 */
interface Trace {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly cause: Trace | null;
}

/** Causes of causes that are sent. */
const maxCauses = 4;

/** An error for another thread. `isUnavailable` says whether the database threw because it cannot be used now. */
export function sentError(
  error: unknown,
  isUnavailable: (error: unknown) => boolean = () => false,
): SentError {
  const trace = traceOf(error);
  if (error instanceof ApiError) {
    const { code, errors, headers } = error;
    return { kind: "refusal", code, errors, headers, trace };
  }
  if (error instanceof ThreadError) return { kind: "failure", failure: error.failure, trace };
  if (error instanceof IndexDamagedError) return { kind: "failure", failure: "damaged", trace };
  if (error instanceof DatabaseUnavailableError || isUnavailable(error))
    return { kind: "database-unavailable", trace };
  return { kind: "failure", failure: "failed", trace };
}

/** The error that `sent` stands for, with the stack of the thread that threw it. */
export function receivedError(sent: SentError): Error {
  const { trace } = sent;
  const cause = trace.cause && errorOf(trace.cause);
  return withStack(errorFor(sent, cause ?? undefined), trace);
}

function errorFor(sent: SentError, cause: unknown): Error {
  const { message } = sent.trace;
  switch (sent.kind) {
    case "refusal":
      return new ApiError(sent.code, message, { errors: sent.errors, headers: sent.headers, cause });
    case "database-unavailable":
      return new DatabaseUnavailableError(message, { cause });
    case "failure":
      return new ThreadError(sent.failure, message, { cause });
  }
}

/** The error that ended a thread, without the properties that the driver of a database may have added. */
export function endOf(error: unknown): Error {
  return errorOf(traceOf(error));
}

function traceOf(error: unknown, causes = maxCauses): Trace {
  if (!(error instanceof Error))
    return { name: "Error", message: String(error), stack: undefined, cause: null };
  const { name, message, stack, cause } = error;
  const hasCause = cause !== undefined && causes > 0;
  return { name, message, stack, cause: hasCause ? traceOf(cause, causes - 1) : null };
}

function errorOf(trace: Trace): Error {
  const error = new Error(trace.message, trace.cause === null ? {} : { cause: errorOf(trace.cause) });
  error.name = trace.name;
  return withStack(error, trace);
}

function withStack(error: Error, { stack }: Trace): Error {
  if (stack !== undefined) error.stack = stack;
  return error;
}

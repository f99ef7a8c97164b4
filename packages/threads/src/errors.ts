/*
 * Errors between threads. A message from one thread to another keeps no class, so an error is sent as what it means to its
 * receiver, with what the log needs of it.
 */

/** The reason why a call of a thread failed, if the error is of no class that the program has a meaning for. */
export type ThreadFailure =
  /** The thread ended before it was done. */
  | "ended"
  /** The call used more processor time than it may, and the thread was ended. */
  | "slow"
  /** The call needed more memory than its thread may have, and the thread has ended. */
  | "memory"
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

  /** Whether the thread has ended, by itself or for what the call used. */
  get hasEnded(): boolean {
    return this.failure === "ended" || this.failure === "slow" || this.failure === "memory";
  }
}

/** Sends errors of a program's own classes between its threads. */
export interface ErrorCodec<Meaning = unknown> {
  /** The meaning of an error, as data; null if it is of none of these classes. */
  send(error: unknown): Meaning | null;
  /** The error that a meaning stands for. */
  receive(meaning: Meaning, message: string, options: { readonly cause: unknown }): Error;
}

/** An error as it crosses from one thread to another. */
export interface SentError {
  /** By the program's `ErrorCodec`; null for any other error, which is then a `ThreadError`. */
  readonly meaning: unknown;
  readonly failure: ThreadFailure;
  readonly trace: Trace;
}

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

/** An error for another thread. */
export function sentError(error: unknown, codec?: ErrorCodec): SentError {
  return {
    meaning: codec?.send(error) ?? null,
    failure: error instanceof ThreadError ? error.failure : "failed",
    trace: traceOf(error),
  };
}

/** The error that `sent` stands for, with the stack of the thread that threw it. */
export function receivedError({ meaning, failure, trace }: SentError, codec?: ErrorCodec): Error {
  const cause = trace.cause === null ? undefined : errorOf(trace.cause);
  const error =
    meaning === null || codec === undefined
      ? new ThreadError(failure, trace.message, { cause })
      : codec.receive(meaning, trace.message, { cause });
  return withStack(error, trace);
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

/** The options that every call takes besides its input. */
export interface RequestOptions {
  /** Ends the call, also while it waits to try again. The call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

import { ConnectionError } from "@clew/client";
import { EndedEarly } from "../support/clew-process.ts";

/** Whether the error is a consequence of the process having ended. */
export function isCut(error: unknown): boolean {
  if (error instanceof EndedEarly || error instanceof ConnectionError) return true;
  return error instanceof TypeError && ["fetch failed", "terminated"].includes(error.message);
}

/** Waits until all have settled. Rethrows one of their errors; a cut connection only if there is no other error. */
export async function together(tasks: readonly Promise<unknown>[]): Promise<void> {
  const errors = (await Promise.allSettled(tasks)).flatMap((result) =>
    result.status === "rejected" ? [result.reason] : [],
  );
  if (errors.length > 0) throw errors.find((error) => !isCut(error)) ?? errors[0];
}

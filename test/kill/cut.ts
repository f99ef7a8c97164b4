import { EndedEarly } from "../support/clew-process.ts";

/** Whether the end of the process, and nothing else, explains the error. */
export function isCut(error: unknown): boolean {
  if (error instanceof EndedEarly) return true;
  return error instanceof TypeError && ["fetch failed", "terminated"].includes(error.message);
}

/** Waits until all have ended, however they end. Throws what one of them threw, least of all that it was cut. */
export async function together(tasks: readonly Promise<unknown>[]): Promise<void> {
  const errors = (await Promise.allSettled(tasks)).flatMap((result) =>
    result.status === "rejected" ? [result.reason] : [],
  );
  if (errors.length > 0) throw errors.find((error) => !isCut(error)) ?? errors[0];
}

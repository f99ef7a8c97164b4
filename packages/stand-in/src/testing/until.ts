import { setTimeout } from "node:timers/promises";

/** Waits until a condition holds. Only the time limit of the test ends the wait before that. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await setTimeout(2);
}

import { workerData } from "node:worker_threads";
import { answerReadings } from "../thread.ts";

/** An order of a test to a thread. */
export interface StubCall {
  /** Parts that it sends before anything else, from the first one that the caller lacks. */
  readonly parts: readonly string[];
  readonly act: "answer" | "never end" | "fill the memory";
}

/** The lane in which a thread answered. */
export type StubResult = "quick" | "slow";

answerReadings<StubCall, StubResult, string>(({ parts, act }, sendPart) => {
  for (const part of parts) sendPart(part);
  if (act === "never end") for (;;);
  if (act === "fill the memory")
    for (const held: number[][] = []; ; ) held.push(Array(100_000).fill(held.length));
  return workerData?.isSlow === true ? "slow" : "quick";
});

import { threadId, workerData } from "node:worker_threads";
import { answerCalls } from "@clew/threads";
import type { Outline } from "../jobs.ts";
import type { QueryCall } from "../query-worker.ts";

/*
 * A query thread that does what a test says. It is up once the test lets it be: until then it starts.
 */

/** A message from the thread to the test. */
export interface StubNews {
  readonly event: "starting" | "working";
  readonly threadId: number;
}

// `QueryThread` starts this thread with a location, whose path here is the name of the channel to the test.
const { path } = workerData as { readonly path: string };
const channel = new BroadcastChannel(path);
const allowed = new Promise<void>((resolve) => {
  channel.onmessage = () => resolve();
});
const tell = (event: StubNews["event"]) => channel.postMessage({ event, threadId } satisfies StubNews);

tell("starting");
await allowed;

answerCalls(async ({ input }: QueryCall) => {
  // Tests ask for an outline, with an order for this thread as the text.
  const { markdown: order } = input as { readonly markdown: string };
  tell("working");
  if (order === "never end") await new Promise(() => {});
  if (order === "crash") process.exit(1);
  return { headings: [], truncated: false, start: threadId } satisfies Outline;
});

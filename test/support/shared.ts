import { after } from "node:test";
import { openStage, type Stage } from "./stage.ts";

const stage = openStage();
after(async () => (await stage).close());

/**
 * Something that the tests of a process share, because starting it takes longer than most of them. It starts when it is first
 * asked for, and ends after all tests.
 */
export function shared<Value>(start: (stage: Stage) => Promise<Value>): () => Promise<Value> {
  let started: Promise<Value> | null = null;
  return () => {
    started ??= stage.then(start);
    return started;
  };
}

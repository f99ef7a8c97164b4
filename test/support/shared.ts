import { after } from "node:test";
import { openStage, type Stage } from "./stage.ts";

const stages: Stage[] = [];
after(async () => {
  await Promise.all(stages.map((stage) => stage.close()));
});

/**
 * Something that the tests of a process share, because starting it takes longer than most of them. It starts when it is first
 * asked for, on a stage of its own, and ends after all tests.
 */
export function shared<Value>(start: (stage: Stage) => Promise<Value>): () => Promise<Value> {
  let started: Promise<Value> | null = null;
  const begin = async () => {
    const stage = await openStage();
    stages.push(stage);
    return start(stage);
  };
  return () => {
    started ??= begin();
    return started;
  };
}

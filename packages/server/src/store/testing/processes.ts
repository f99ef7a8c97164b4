import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { TestContext } from "node:test";

/** Starts a script (a file URL, or a name beside this file) as a process of its own; it says `ready` and waits for `go`. */
export async function startProcess(
  test: TestContext,
  script: string,
  ...args: string[]
): Promise<ChildProcess> {
  const child = fork(new URL(script, import.meta.url), args, { execArgv: [] });
  test.after(() => child.kill("SIGKILL"));
  await once(child, "message");
  return child;
}

/** Lets processes that are ready run at the same time; resolves with their exit codes. */
export async function runTogether(children: readonly ChildProcess[]): Promise<unknown[]> {
  const exits = children.map((child) => once(child, "exit"));
  for (const child of children) child.send("go");
  return (await Promise.all(exits)).map(([code]) => code);
}

/** In the script: says `ready`, and resolves at `go`. */
export async function readyToGo(): Promise<void> {
  process.send?.("ready");
  await once(process, "message");
}

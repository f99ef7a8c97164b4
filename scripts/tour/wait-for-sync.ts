import { setTimeout } from "node:timers/promises";
import type { Client, SyncProgress, Workspace } from "@clew/client";

const pollIntervalMs = 250;

/**
 * Waits until every workspace of a session is synced, and returns them. Throws if a sync fails. `onProgress` is called
 * after each poll. Polls are reads, which the client repeats if their connection breaks.
 */
export async function waitForSync(
  client: Client,
  onProgress: (workspace: Workspace) => void = () => {},
): Promise<readonly Workspace[]> {
  for (;;) {
    const { items } = await client.listWorkspaces();
    for (const workspace of items) {
      const { name, sync } = workspace;
      if (sync.state === "failed") throw new Error(`The sync of ${name} failed: ${sync.error}`);
      onProgress(workspace);
    }
    if (items.length > 0 && items.every(({ sync }) => sync.state === "idle")) return items;
    await setTimeout(pollIntervalMs);
  }
}

const phases = { titles: "finding pages", content: "reading pages" };

/** The progress of a sync in words. */
export function describeSync({ state, phase, done, total, waiting_until }: SyncProgress): string {
  if (state === "idle") return "synced";
  if (state === "waiting")
    return waiting_until === null ? "waiting for memory" : "waiting for the provider's rate limit";
  if (phase === null) return "queued";
  return `${phases[phase]}, ${total === null ? done : `${done} of ${total}`}`;
}

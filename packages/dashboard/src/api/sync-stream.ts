import type { SyncEvent, SyncProgress } from "@clew/contract";
import { followEvents } from "./event-stream.ts";

/** A message of a stream. */
export interface SyncListeners {
  onProgress(sync: SyncProgress): void;
  /** No events arrive until the next stream is open. */
  onLoss(): void;
}

/** Follows the sync of a workspace by its event stream until the signal aborts. */
export function followSync(
  send: typeof fetch,
  url: URL,
  { onProgress, onLoss }: SyncListeners,
  signal: AbortSignal,
): Promise<void> {
  const onEvent = (_id: string, data: string) => {
    const { sync }: SyncEvent = JSON.parse(data);
    onProgress(sync);
  };
  return followEvents(send, url, { onEvent, onLoss }, signal);
}

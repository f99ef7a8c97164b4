import type { SyncEvent, SyncProgress } from "@clew/contract";
import { readEvents } from "./event-stream.ts";

/** Milliseconds until a stream is opened again: after it has ended, and after Clew has refused one. */
const reconnectMs = 3_000;
const refusedReconnectMs = 60_000;

/** A message of a stream. */
export interface SyncListeners {
  onProgress(sync: SyncProgress): void;
  /** No events arrive until the next stream is open. */
  onLoss(): void;
}

/**
 * Follows the sync of a workspace by its event stream until the signal aborts. A stream that ended continues after the last
 * event. Each holds a connection, and a browser opens only six to a host, in all tabs together.
 */
export async function followSync(
  send: typeof fetch,
  url: URL,
  { onProgress, onLoss }: SyncListeners,
  signal: AbortSignal,
): Promise<void> {
  let lastId: string | null = null;
  /** Opens a stream and reads it to its end. Returns the milliseconds until the next. */
  const readOne = async (): Promise<number> => {
    try {
      const headers: HeadersInit = lastId === null ? {} : { "last-event-id": lastId };
      const { ok, body } = await send(url, { headers, signal });
      if (!ok || body === null) return refusedReconnectMs;
      for await (const { id, data } of readEvents(body)) {
        if (signal.aborted) break;
        lastId = id;
        const { sync }: SyncEvent = JSON.parse(data);
        onProgress(sync);
      }
    } catch {
      // The connection broke, or the session ended, which closes the application.
    }
    return reconnectMs;
  };
  while (!signal.aborted) {
    const waitMs = await readOne();
    if (signal.aborted) return;
    onLoss();
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

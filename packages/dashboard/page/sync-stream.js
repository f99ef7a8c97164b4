/** @import { SyncEvent, SyncProgress } from "@clew/contract" */
import { Refused, stream } from "./api.js";
import { readEvents } from "./event-stream.js";

/** Delays before a stream is opened again: after it has ended, and after Clew has refused one. */
const reconnectMs = 3_000;
const refusedReconnectMs = 60_000;

/**
 * Follows the sync of one workspace at a time through its event stream. Each stream holds a connection, and a browser
 * opens only six to a host, in all tabs together.
 * @param {AbortSignal} signal stops following
 * @param {(id: string, sync: SyncProgress) => void} onProgress
 * @param {() => void} onLoss called when a stream has ended; no events arrive until the next one is open
 * @returns {{ follow: (id: string | null) => void, isOpen: () => boolean }}
 */
export function syncStream(signal, onProgress, onLoss) {
  /** @type {string | null} the id of the followed workspace */
  let followed = null;
  let following = new AbortController();
  let isOpen = false;

  /**
   * Opens a stream and reads it to its end.
   * @param {string} id
   * @param {{ headers: Record<string, string>, signal: AbortSignal }} request its `last-event-id` header is updated with each event
   * @returns {Promise<number>} milliseconds until the stream is opened again
   */
  const readStream = async (id, request) => {
    try {
      const body = await stream(`provider-graph/workspaces/${encodeURIComponent(id)}/events`, request);
      for await (const event of readEvents(body)) {
        if (request.signal.aborted) break;
        isOpen = true;
        request.headers["last-event-id"] = event.id;
        /** @type {SyncEvent} */
        const { sync } = JSON.parse(event.data);
        onProgress(id, sync);
      }
      return reconnectMs;
    } catch (error) {
      return error instanceof Refused ? refusedReconnectMs : reconnectMs;
    }
  };
  /**
   * @param {string} id
   * @param {AbortSignal} over
   */
  const listen = async (id, over) => {
    const request = { headers: {}, signal: over };
    while (!over.aborted) {
      const wait = await readStream(id, request);
      if (over.aborted) return;
      isOpen = false;
      onLoss();
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  };

  return {
    isOpen: () => isOpen,
    follow(id) {
      if (id === followed) return;
      followed = id;
      isOpen = false;
      following.abort();
      following = new AbortController();
      if (id !== null) listen(id, AbortSignal.any([signal, following.signal]));
    },
  };
}

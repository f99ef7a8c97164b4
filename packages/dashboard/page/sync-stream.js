/** @import { SyncEvent, SyncProgress } from "@clew/contract" */
import { Refused, stream } from "./api.js";
import { readEvents } from "./event-stream.js";

/** Milliseconds until a stream is opened again: after its end, and where Clew does not want to open one. */
const afterEnd = 3_000;
const afterRefusal = 60_000;

/**
 * Follows the sync of one workspace at a time by its stream of events. Not of several: a browser opens six connections
 * to a host, for all tabs together, and each stream holds one.
 * @param {AbortSignal} signal ends that
 * @param {(id: string, sync: SyncProgress) => void} onProgress
 * @param {() => void} onLoss told when a stream has ended: nothing is heard until another one is open
 * @returns {{ follow: (id: string | null) => void, isOpen: () => boolean }}
 */
export function syncStream(signal, onProgress, onLoss) {
  /** @type {string | null} the workspace that is followed */
  let followed = null;
  let following = new AbortController();
  let isOpen = false;

  /**
   * Opens a stream and reads it to its end.
   * @param {string} id
   * @param {{ headers: Record<string, string>, signal: AbortSignal }} request whose headers learn what was heard last
   * @returns {Promise<number>} milliseconds until it is opened again
   */
  const hear = async (id, request) => {
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
      return afterEnd;
    } catch (error) {
      return error instanceof Refused ? afterRefusal : afterEnd;
    }
  };
  /**
   * @param {string} id
   * @param {AbortSignal} over
   */
  const listen = async (id, over) => {
    const request = { headers: {}, signal: over };
    while (!over.aborted) {
      const wait = await hear(id, request);
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

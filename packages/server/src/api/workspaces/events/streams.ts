import type { Readable } from "node:stream";
import type { Sessions } from "../../../auth/sessions.ts";
import { ApiError } from "../../../model/api-error.ts";
import type { SessionCaller } from "../../../model/caller.ts";
import type { Clock } from "../../../model/runtime.ts";
import type { Database } from "../../../store/port.ts";
import { syncReportsOf } from "../../../store/queries/sync-reports.ts";
import { notConnected } from "../own-connection.ts";
import { createStatusPoller } from "./status-poller.ts";
import { createEventStream, type EventStream } from "./stream.ts";
import { createSyncEventFormatter } from "./sync-event-format.ts";
import { readSyncStatus } from "./sync-status.ts";

/** The streams of events that are open (GRAPH-15). */
export interface EventStreams {
  /**
   * Opens a stream of a connection's sync for a session: it ends with either of them, or after an hour. Throws
   * `ApiError` `not_found` where the connection is gone, `rate_limited` where the session has too many.
   */
  open(caller: SessionCaller, connectionId: number, lastEventId: string | null): Promise<Readable>;
  /** Ends all of them, and opens no more. */
  close(): void;
}

interface Parts {
  readonly database: Pick<Database, "read">;
  readonly sessions: Pick<Sessions, "confirm">;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Milliseconds that a stream may last. */
export const streamLifetime = 60 * 60_000;

/** Streams that one session may have open at a time. */
const streamsPerSession = 10;

export function createEventStreams({ database, sessions, clock, onError }: Parts): EventStreams {
  const poller = createStatusPoller({ database, onError });
  const streams = new Map<EventStream, string>();
  let isClosed = false;

  const latestReport = async (connectionId: number) =>
    (await syncReportsOf(database.read, connectionId, 1))[0] ?? null;

  /** Whether the caller may still listen: their credentials count, and the connection is theirs. */
  async function mayListen(caller: SessionCaller, ownerId: string): Promise<boolean> {
    if (ownerId !== caller.userId || caller.expiresAt <= clock()) return false;
    return sessions.confirm(caller).then(
      () => true,
      () => false,
    );
  }

  function admit({ sessionId }: SessionCaller): void {
    if (isClosed) throw new ApiError("unavailable", "This instance is shutting down.");
    const open = [...streams.values()].filter((each) => each === sessionId).length;
    if (open < streamsPerSession) return;
    throw new ApiError("rate_limited", `A session may have ${streamsPerSession} streams open at a time.`, {
      headers: { "retry-after": "60" },
    });
  }

  return {
    async open(caller, connectionId, lastEventId) {
      const now = await readSyncStatus(database.read, connectionId);
      if (now?.connection.userId !== caller.userId) throw notConnected();
      const format = createSyncEventFormatter(lastEventId, latestReport);
      const first = await format(now);
      admit(caller);
      const stream = createEventStream(first ?? "", streamLifetime, clock);
      streams.set(stream, caller.sessionId);
      const leave = poller.listen(connectionId, async (status) => {
        try {
          if (!status || !(await mayListen(caller, status.connection.userId))) return stream.end();
          await stream.tell(() => format(status));
        } catch (error) {
          onError(error);
          stream.end();
        }
      });
      stream.body.once("close", () => {
        leave();
        streams.delete(stream);
      });
      return stream.body;
    },
    close() {
      isClosed = true;
      for (const stream of streams.keys()) stream.end();
    },
  };
}

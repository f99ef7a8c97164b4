import { Readable } from "node:stream";
import type { SyncEvent, SyncEventName } from "@clew/contract";
import type { Sessions } from "../../../auth/sessions.ts";
import { ApiError } from "../../../model/api-error.ts";
import type { SessionCaller } from "../../../model/caller.ts";
import type { Clock } from "../../../model/runtime.ts";
import type { SyncReport } from "../../../model/sync-report.ts";
import { presentSyncProgress, presentSyncReport } from "../../../present/sync.ts";
import type { Database } from "../../../store/port.ts";
import { syncReportsOf } from "../../../store/queries/sync-reports.ts";
import { createStatusPoller, readSyncStatus, type SyncStatus } from "./status-poller.ts";

interface StreamServices {
  readonly database: Pick<Database, "read">;
  readonly sessions: Pick<Sessions, "confirm">;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** The same answer whether the workspace exists or not (GRAPH-10). */
export function notConnected(): ApiError {
  return new ApiError("not_found", "The caller is not connected to this workspace.");
}

/** Milliseconds. */
export const streamLifetimeMs = 60 * 60_000;

/** At a time. */
const maxStreamsPerSession = 10;

export type EventStreams = ReturnType<typeof createEventStreams>;

/** The open streams of sync events (GRAPH-15). */
export function createEventStreams({ database, sessions, clock, onError }: StreamServices) {
  const poller = createStatusPoller({ database, onError });
  const streams = new Map<EventStream, string>();
  let isClosed = false;

  const latestReport = async (connectionId: number) =>
    (await syncReportsOf(database.read, connectionId, 1))[0] ?? null;

  /** Whether the credentials are still valid, and the connection still belongs to the caller. */
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
    if (open < maxStreamsPerSession) return;
    const detail = `A session may have ${maxStreamsPerSession} streams open at a time. Close one, or wait 60 seconds.`;
    throw new ApiError("rate_limited", detail, { headers: { "retry-after": "60" } });
  }

  return {
    /**
     * Opens a stream of a connection's sync for a session. It ends when either of them ends, or after an hour. Throws
     * `ApiError`: `not_found` if the connection is gone, `rate_limited` if the session has too many streams.
     */
    async open(caller: SessionCaller, connectionId: number, lastEventId: string | null): Promise<Readable> {
      const now = await readSyncStatus(database.read, connectionId);
      if (now?.connection.userId !== caller.userId) throw notConnected();
      const format = createSyncEventFormatter(lastEventId, latestReport);
      const first = await format(now);
      admit(caller);
      const stream = createEventStream(first ?? "", streamLifetimeMs, clock);
      streams.set(stream, caller.sessionId);
      const leave = poller.listen(connectionId, async (status) => {
        try {
          if (!status || !(await mayListen(caller, status.connection.userId))) return stream.end();
          await stream.send(() => format(status));
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
    /** Ends all streams, and opens no more. */
    close(): void {
      isClosed = true;
      for (const stream of streams.keys()) stream.end();
    },
  };
}

/**
 * Formats a status as the next event of one listener; null if nothing has changed for them. The id of an event is the
 * end time of the last sync that the listener knows of. So a listener who reconnects learns of an end in between, and so
 * does one who reads so slowly that earlier events were left out.
 */
function createSyncEventFormatter(
  lastEventId: string | null,
  latestReport: (connectionId: number) => Promise<SyncReport | null>,
): (status: SyncStatus) => Promise<string | null> {
  let sentEnd = lastEventId !== null && /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : null;
  let sent: string | null = null;
  return async ({ connection: { id, sync }, failed }) => {
    const progress = presentSyncProgress(sync, failed);
    const json = JSON.stringify(progress);
    if (json === sent) return null;
    sent = json;
    const end = sync.finishedAt ?? 0;
    const hasEnded = sentEnd !== null && sentEnd !== end;
    sentEnd = end;
    if (!hasEnded) return formatEvent("progress", end, { sync: progress, report: null });
    const report = await latestReport(id);
    const hasFailed = sync.state === "failed" || report?.outcome === "failed";
    const outcome = { sync: progress, report: report && presentSyncReport(report) };
    return formatEvent(hasFailed ? "failed" : "completed", end, outcome);
  };
}

/** HTML Living Standard, section 9.2.6. */
function formatEvent(name: SyncEventName, id: number, data: SyncEvent): string {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Milliseconds of silence before a comment is sent, which is less than the timeouts of proxies. */
const keepAliveMs = 15_000;
/** Milliseconds that a browser waits before it reconnects. */
const retryMs = 3_000;

type EventStream = ReturnType<typeof createEventStream>;

/** The body of one response, which begins with an event and ends after `lifetimeMs`. */
export function createEventStream(first: string, lifetimeMs: number, clock: Clock) {
  const endsAt = clock() + lifetimeMs;
  let sentAt = clock();
  let isRead = false;
  const body = new Readable({
    highWaterMark: 1,
    read() {
      isRead = true;
    },
  });
  const push = (text: string) => {
    isRead = false;
    sentAt = clock();
    body.push(text);
  };
  // An orderly end would wait for a client that does not read.
  const end = () => void (isRead ? body.push(null) : body.destroy());

  push(`retry: ${retryMs}\n\n${first}`);
  return {
    body,
    end,
    /**
     * Sends the text that `next` returns; nothing for null. While the client has not read what was sent before, `next` is
     * not called: the client gets the newest status later.
     */
    async send(next: () => Promise<string | null>): Promise<void> {
      if (clock() >= endsAt) return end();
      if (!isRead) return;
      const text = await next();
      if (body.destroyed) return;
      if (text !== null) push(text);
      else if (clock() - sentAt >= keepAliveMs) push(": still here\n\n");
    },
  };
}

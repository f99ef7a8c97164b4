import type { Readable } from "node:stream";
import type { SyncEvent, SyncEventName } from "@clew/contract";
import type { Sessions } from "../../../auth/sessions.ts";
import { ApiError } from "../../../model/api-error.ts";
import type { SessionCaller } from "../../../model/caller.ts";
import type { Clock } from "../../../model/runtime.ts";
import type { SyncReport } from "../../../model/sync-report.ts";
import { presentSyncProgress, presentSyncReport } from "../../../present/sync.ts";
import type { Database } from "../../../store/port.ts";
import { syncReportsOf } from "../../../store/queries/sync-reports.ts";
import { formatEvent, isStillSignedIn, type SessionStreams } from "../../event-streams.ts";
import { createStatusPoller, readSyncStatus, type SyncStatus } from "./status-poller.ts";

interface StreamServices {
  readonly database: Pick<Database, "read">;
  readonly sessions: Pick<Sessions, "confirm">;
  readonly clock: Clock;
  readonly sessionStreams: SessionStreams;
  readonly onError: (error: unknown) => void;
}

/** The same answer whether the workspace exists or not (GRAPH-10). */
export function notConnected(): ApiError {
  return new ApiError("not_found", "The caller is not connected to this workspace.");
}

export type EventStreams = ReturnType<typeof createEventStreams>;

/** The streams of sync events (GRAPH-15). */
export function createEventStreams(services: StreamServices) {
  const { database, clock, sessionStreams, onError } = services;
  const poller = createStatusPoller({ database, onError });

  const latestReport = async (connectionId: number) =>
    (await syncReportsOf(database.read, connectionId, 1))[0] ?? null;

  /** Whether the credentials are still valid, and the connection still belongs to the caller. */
  async function mayListen(caller: SessionCaller, ownerId: string): Promise<boolean> {
    return ownerId === caller.userId && isStillSignedIn(services, caller);
  }

  return {
    /**
     * Opens a stream of a connection's sync for a session. It ends when either of them ends, or after an hour. Throws
     * `ApiError`: `not_found` if the connection is gone, `rate_limited` if the session has too many streams.
     */
    async open(caller: SessionCaller, connectionId: number, lastEventId: number | null): Promise<Readable> {
      const now = await readSyncStatus(database.read, connectionId);
      if (now?.connection.userId !== caller.userId) throw notConnected();
      const format = createSyncEventFormatter(lastEventId, latestReport);
      const first = await format(now);
      const stream = sessionStreams.open(caller, first ?? "", clock);
      const leave = poller.listen(connectionId, async (status) => {
        try {
          if (!status || !(await mayListen(caller, status.connection.userId))) return stream.end();
          await stream.send(() => format(status));
        } catch (error) {
          onError(error);
          stream.end();
        }
      });
      stream.body.once("close", leave);
      return stream.body;
    },
  };
}

/**
 * Formats a status as the next event of one listener; null if nothing has changed for them. The id of an event is the
 * end time of the last sync that the listener knows of. So a listener who reconnects learns of an end in between, and so
 * does one who reads so slowly that earlier events were left out.
 */
function createSyncEventFormatter(
  lastEventId: number | null,
  latestReport: (connectionId: number) => Promise<SyncReport | null>,
): (status: SyncStatus) => Promise<string | null> {
  let sentEnd = lastEventId;
  let sent: string | null = null;
  return async ({ connection: { id, sync }, failed }) => {
    const progress = presentSyncProgress(sync, failed);
    const json = JSON.stringify(progress);
    if (json === sent) return null;
    sent = json;
    const end = sync.finishedAt ?? 0;
    const hasEnded = sentEnd !== null && sentEnd !== end;
    sentEnd = end;
    if (!hasEnded) return formatSyncEvent("progress", end, { sync: progress, report: null });
    const report = await latestReport(id);
    const hasFailed = sync.state === "failed" || report?.outcome === "failed";
    const outcome = { sync: progress, report: report && presentSyncReport(report) };
    return formatSyncEvent(hasFailed ? "failed" : "completed", end, outcome);
  };
}

const formatSyncEvent = (name: SyncEventName, id: number, data: SyncEvent) => formatEvent(name, id, data);

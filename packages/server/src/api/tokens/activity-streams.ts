import type { Readable } from "node:stream";
import { type ActivityEvent, activityLimits } from "@clew/contract";
import type { Sessions } from "../../auth/sessions.ts";
import type { SessionCaller } from "../../model/caller.ts";
import type { Clock } from "../../model/runtime.ts";
import { presentCall } from "../../present/activity.ts";
import type { Database } from "../../store/port.ts";
import {
  type ActiveToken,
  latestCalls,
  latestNumber,
  numberOfCalls,
  sumsSince,
} from "../../store/queries/activity.ts";
import { formatEvent, isStillSignedIn, type SessionStreams } from "../event-streams.ts";
import { createPoller } from "../poller.ts";

const weekMs = 7 * 86_400_000;

interface StreamServices {
  readonly database: Pick<Database, "activity">;
  readonly sessions: Pick<Sessions, "confirm">;
  readonly clock: Clock;
  readonly sessionStreams: SessionStreams;
  readonly onError: (error: unknown) => void;
}

export type ActivityStreams = ReturnType<typeof createActivityStreams>;

/** The streams of what service tokens read (APP-9). They read what all instances have written. */
export function createActivityStreams(services: StreamServices) {
  const { clock, sessionStreams, onError } = services;
  const { activity } = services.database;
  const poller = createPoller({
    read: async (id) => ({ last: await activity.read((db) => numberOfCalls(db, id)) }),
    onError,
  });

  /** The event with the calls after a number. */
  const eventAfter = async (token: ActiveToken, after: number, last: number): Promise<string> => {
    const since = clock() - weekMs;
    const limit = activityLimits.calls;
    const event: ActivityEvent = await activity.read(async (db) => ({
      calls: (await latestCalls(db, token.id, { after, since: 0, limit })).toReversed().map(presentCall),
      week: await sumsSince(db, token.id, since),
    }));
    return formatEvent("calls", last, event);
  };

  return {
    /**
     * Opens a stream of a token's calls for a session of its owner. It begins with those after `lastEventId`, or with none, and ends
     * with the session or after an hour. Throws `ApiError` `rate_limited` if the session has too many streams.
     */
    async open(caller: SessionCaller, token: ActiveToken, lastEventId: number | null): Promise<Readable> {
      const now = (await activity.read((db) => latestNumber(db, token))) ?? 0;
      // A number from before the calls were deleted is higher than any.
      const from = lastEventId === null || lastEventId > now ? now : lastEventId;
      const stream = sessionStreams.open(caller, await eventAfter(token, from, now), clock);
      let sent = now;
      const leave = poller.listen(token.id, async (status) => {
        try {
          if (status === null || !(await isStillSignedIn(services, caller))) return stream.end();
          const { last } = status;
          await stream.send(async () => {
            if (last === sent) return null;
            const event = await eventAfter(token, Math.min(sent, last), last);
            sent = last;
            return event;
          });
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

import { Readable } from "node:stream";
import type { Sessions } from "../auth/sessions.ts";
import { ApiError } from "../model/api-error.ts";
import type { SessionCaller } from "../model/caller.ts";
import type { Clock } from "../model/runtime.ts";

/* Server-sent events for sessions (GRAPH-15, APP-9). */

/** Milliseconds. */
export const streamLifetimeMs = 60 * 60_000;

/** At a time, of all kinds together. */
const maxStreamsPerSession = 10;

/** The open streams of one server. */
export class SessionStreams {
  readonly #streams = new Map<EventStream, string>();
  #isClosed = false;

  /** Opens a stream that begins with an event. Throws `ApiError` `rate_limited` if the session has too many streams. */
  open({ sessionId }: SessionCaller, first: string, clock: Clock): EventStream {
    if (this.#isClosed) throw new ApiError("unavailable", "This instance is shutting down.");
    const open = [...this.#streams.values()].filter((each) => each === sessionId).length;
    if (open >= maxStreamsPerSession) {
      const detail = `A session may have ${maxStreamsPerSession} streams open at a time. Close one, or wait 60 seconds.`;
      throw new ApiError("rate_limited", detail, { headers: { "retry-after": "60" } });
    }
    const stream = createEventStream(first, streamLifetimeMs, clock);
    this.#streams.set(stream, sessionId);
    stream.body.once("close", () => this.#streams.delete(stream));
    return stream;
  }

  /** Ends all streams, and opens no more. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#streams.keys()) stream.end();
  }
}

/** Whether the credentials with which a stream was opened are still valid. */
export async function isStillSignedIn(
  { sessions, clock }: { readonly sessions: Pick<Sessions, "confirm">; readonly clock: Clock },
  caller: SessionCaller,
): Promise<boolean> {
  if (caller.expiresAt <= clock()) return false;
  return sessions.confirm(caller).then(
    () => true,
    () => false,
  );
}

/** HTML Living Standard, section 9.2.6. */
export function formatEvent(name: string, id: number, data: object): string {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The number in `Last-Event-ID`; null without one. */
export function numberOfEvent(lastEventId: string | string[] | undefined): number | null {
  return typeof lastEventId === "string" && /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : null;
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

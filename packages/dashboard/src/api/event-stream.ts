/** A server-sent event. */
interface StreamedEvent {
  readonly id: string;
  readonly data: string;
}

/**
 * Parses server-sent events as Clew writes them: every field is one line. Skips comments. Ends with the stream; throws if the
 * stream breaks. https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<StreamedEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const { id, data } = fieldsOf(block);
      if (id !== undefined && data !== undefined) yield { id, data };
    }
  }
}

function fieldsOf(block: string): Partial<Record<string, string>> {
  return Object.fromEntries(
    block.split("\n").map((line) => {
      const [name = "", ...value] = line.split(": ");
      return [name, value.join(": ")];
    }),
  );
}

/** Milliseconds until a stream is opened again: after it has ended, and after Clew has refused one. */
const reconnectMs = 3_000;
const refusedReconnectMs = 60_000;

/** The receivers of the messages of a stream. */
export interface StreamListeners {
  /** Receives the id and the data of each event. */
  onEvent(id: string, data: string): void;
  /** No events arrive until the next stream is open. */
  onLoss(): void;
}

/**
 * Follows an event stream until the signal aborts, from after the event `lastId` if it is given. A stream that ended continues after the
 * last event. Each holds a connection, and a browser opens only six to a host, in all tabs together.
 */
export async function followEvents(
  send: typeof fetch,
  url: URL,
  { onEvent, onLoss }: StreamListeners,
  signal: AbortSignal,
  lastId: string | null = null,
): Promise<void> {
  let last = lastId;
  /** Opens a stream and reads it to its end. Returns the milliseconds until the next. */
  const readOne = async (): Promise<number> => {
    try {
      const headers: HeadersInit = last === null ? {} : { "last-event-id": last };
      const { ok, body } = await send(url, { headers, signal });
      if (!ok || body === null) return refusedReconnectMs;
      for await (const { id, data } of readEvents(body)) {
        if (signal.aborted) break;
        last = id;
        onEvent(id, data);
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

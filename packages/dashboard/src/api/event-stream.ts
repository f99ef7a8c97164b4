/** A server-sent event. */
export interface StreamedEvent {
  readonly id: string;
  readonly data: string;
}

/**
 * Parses server-sent events as Clew writes them: every field is one line. Skips comments. Ends with the stream; throws if the
 * stream breaks. https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<StreamedEvent> {
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

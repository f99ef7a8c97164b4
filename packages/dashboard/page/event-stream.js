/** @typedef {{ id: string, data: string }} StreamedEvent */

/**
 * Parses server-sent events as Clew writes them: every field is one line. Skips comments.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} body
 * @returns {AsyncGenerator<StreamedEvent, void>} ends with the stream; throws if the stream breaks
 */
export async function* readEvents(body) {
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

/**
 * @param {string} block
 * @returns {Partial<Record<string, string>>}
 */
function fieldsOf(block) {
  return Object.fromEntries(
    block.split("\n").map((line) => {
      const [name = "", ...value] = line.split(": ");
      return [name, value.join(": ")];
    }),
  );
}

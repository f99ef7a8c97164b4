/** @typedef {{ id: string, data: string }} StreamedEvent */

/**
 * Server-sent events as Clew writes them: fields of one line each, and comments, which are left out.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} body
 * @returns {AsyncGenerator<StreamedEvent, void>} ends where the stream does; throws where it breaks
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

import type { ExportLine } from "./api.ts";
import { ConnectionError, IncompleteExportError } from "./errors.ts";

/** The content of an export: its lines without the last. */
export type ExportItem = Exclude<ExportLine, { end: unknown }>;

/**
 * The items of an export as JSON lines. Throws an `IncompleteExportError` unless the last line, and no other, is the end and
 * counts as many items as there were; a `ConnectionError` if the stream breaks off. Leaving the loop early cancels
 * the stream.
 */
export async function* readExport(
  name: string,
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ExportItem> {
  const counts = { nodes: 0, edges: 0, broken: 0 };
  let isEnded = false;
  for await (const text of linesOf(name, stream, signal)) {
    if (isEnded) throw new IncompleteExportError(`${name} has lines after its end`);
    // The contract of the operation.
    const line = JSON.parse(text) as ExportLine;
    if ("end" in line) {
      const { nodes, edges, broken = 0 } = line.end;
      if (nodes !== counts.nodes || edges !== counts.edges || broken !== counts.broken)
        throw new IncompleteExportError(`${name} lacks items that its end counts`);
      isEnded = true;
      continue;
    }
    if ("node" in line) counts.nodes += 1;
    if ("edge" in line) counts.edges += 1;
    if ("broken" in line) counts.broken += 1;
    yield line;
  }
  if (!isEnded) throw new IncompleteExportError(`${name} ended before its last line`);
}

/** The lines of a stream, without one that is not terminated. */
async function* linesOf(
  name: string,
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  // Not `for await`, which some browsers do not have for streams.
  const reader = stream.getReader();
  let parts: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        signal?.throwIfAborted();
        throw new ConnectionError(name, error);
      });
      if (done) return;
      const [rest = "", ...next] = decoder.decode(value, { stream: true }).split("\n");
      parts.push(rest);
      for (const start of next) {
        yield parts.join("");
        parts = [start];
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

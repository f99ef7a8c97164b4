import { Readable } from "node:stream";
import { exportsPerUser } from "@clew/contract";
import { ApiError } from "../model/api-error.ts";

/** Bytes that may wait for a client in a stream. */
const highWaterMark = 64 * 1024;

export type ExportStreams = ReturnType<typeof createExportStreams>;

/** The exports that are running (GRAPH-26). Each process counts separately. */
export function createExportStreams() {
  const running = new Map<Readable, string>();
  let isClosed = false;

  return {
    /**
     * A stream of these texts, which are asked for as they are read. If they fail, the stream is destroyed. Throws `ApiError`
     * `rate_limited` if as many exports of the user are running as may.
     */
    open(userId: string, texts: AsyncIterable<string>): Readable {
      if (isClosed) throw new ApiError("unavailable", "This instance is shutting down.");
      const ofUser = [...running.values()].filter((each) => each === userId).length;
      if (ofUser >= exportsPerUser)
        throw new ApiError("rate_limited", `A user may run ${exportsPerUser} exports at a time.`, {
          headers: { "retry-after": "10" },
        });
      const stream = Readable.from(texts, { objectMode: false, highWaterMark });
      running.set(stream, userId);
      return stream.once("close", () => running.delete(stream));
    },
    /** Breaks off all exports, and opens no more. */
    close(): void {
      isClosed = true;
      for (const stream of running.keys())
        stream.destroy(new ApiError("unavailable", "This instance is shutting down."));
    },
  };
}

import { randomBytes } from "node:crypto";
import { Readable, Writable } from "node:stream";

/** Standard streams of a command in this process. What it writes is kept. */
export function captureOutput(
  input: readonly string[] = [],
  { isTTY = false, columns = 80, timeoutMs }: { isTTY?: boolean; columns?: number; timeoutMs?: number } = {},
) {
  const written: Buffer[] = [];
  const warnings: string[] = [];
  const opened: URL[] = [];
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      written.push(Buffer.from(chunk));
      done();
    },
  });
  return {
    reading: {
      fetch,
      stdin: Readable.from(input),
      stdout: Object.assign(stdout, { isTTY, columns }),
      random: randomBytes,
      clock: Date.now,
      openBrowser: (address: URL) => void opened.push(address),
      warn: (line: string) => void warnings.push(line),
      openFolder: async () => {
        throw new Error("it opened a folder");
      },
      // A service that is away is asked again at once.
      waits: { sleep: async () => {}, ...(timeoutMs && { timeoutMs }) },
    },
    output: () => Buffer.concat(written).toString(),
    warnings,
    /** The addresses that the browser was led to. */
    opened,
  };
}

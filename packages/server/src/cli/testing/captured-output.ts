import { Readable, Writable } from "node:stream";

/** Standard streams of a command in this process. What it writes is kept. */
export function captureOutput(input: readonly string[] = [], { isTTY = false, columns = 80 } = {}) {
  const written: Buffer[] = [];
  const warnings: string[] = [];
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
      warn: (line: string) => void warnings.push(line),
    },
    output: () => Buffer.concat(written).toString(),
    warnings,
  };
}

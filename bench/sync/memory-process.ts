import { randomBytes } from "node:crypto";
import { openSyncing } from "../../packages/server/src/sync/testing/syncing.ts";

// Runs the first sync of a workspace, and prints the memory of the process as it proceeds.
const [path = "", apiUrl = ""] = process.argv.slice(2);

const step = Number(process.env.STEP ?? 5_000);
/** Whether to collect garbage before each line, so that the heap contains only live objects. */
const collects = process.env.COLLECT === "1";
let texts = 0;

const syncing = await openSyncing({
  location: { kind: "sqlite", path },
  apiUrl,
  key: randomBytes(32),
  async fetch(input, init) {
    const answer = await fetch(input, init);
    if (!String(input).includes("/markdown")) return answer;
    texts += 1;
    if (texts % step === 0) print(`${texts} texts`);
    return answer;
  },
});
console.log("| progress | RSS MB | heap MB | buffers MB | seconds |");
console.log("|---|---:|---:|---:|---:|");
const began = performance.now();
print("start");
const { id } = await syncing.connect();
const { report } = await syncing.run(id);
print("end");
console.log(
  `\nOutcome of the sync: ${report.outcome}; ${JSON.stringify(report.found)}, ${report.fetched} texts.`,
);

const held = settled();
syncing.graphs.forget(id);
const without = settled();
console.log(
  `After garbage collection ${megabytes(held)} MB are in use; the published graph takes ` +
    `${megabytes(held - without)} MB of them.`,
);
await syncing.close();
process.disconnect();

/** Bytes in use after garbage collection. */
function settled(): number {
  for (let count = 0; count < 3; count += 1) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function print(what: string): void {
  if (collects) settled();
  const { rss, heapUsed, external } = process.memoryUsage();
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(
    `| ${what} | ${megabytes(rss)} | ${megabytes(heapUsed)} | ${megabytes(external)} | ${seconds} |`,
  );
}

function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}

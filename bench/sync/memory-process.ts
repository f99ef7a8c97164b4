import { randomBytes } from "node:crypto";
import { openSyncing } from "../../packages/server/src/sync/testing/syncing.ts";

// Syncs a workspace for the first time, and prints how much memory the process has meanwhile.
const [path = "", apiUrl = ""] = process.argv.slice(2);

const step = Number(process.env.STEP ?? 5_000);
/** Whether to collect garbage before each look, so that the heap is what is held. */
const collects = process.env.COLLECT === "1";
let texts = 0;

const syncing = await openSyncing({
  path,
  apiUrl,
  key: randomBytes(32),
  async fetch(input, init) {
    const answer = await fetch(input, init);
    if (String(input).endsWith("/markdown")) texts += 1;
    if (texts % step === 0 && texts > 0 && String(input).endsWith("/markdown")) print(`${texts} texts`);
    return answer;
  },
});
console.log("| so far | RSS MB | heap MB | buffers MB | seconds |");
console.log("|---|---:|---:|---:|---:|");
const began = performance.now();
print("nothing");
const { id } = await syncing.connect();
const { report } = await syncing.run(id);
print("the end");
console.log(`\nThe sync is ${report.outcome}: ${JSON.stringify(report.found)}, ${report.fetched} texts.`);

const held = settled();
syncing.graphs.forget(id);
const without = settled();
console.log(
  `After a collection the process holds ${megabytes(held)} MB in use, of which the published graph is ` +
    `${megabytes(held - without)} MB.`,
);
await syncing.close();
process.disconnect();

/** Bytes in use that nothing can be taken from. */
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

import assert from "node:assert/strict";
import { test } from "node:test";
import { runSeed } from "@clew/stand-in/testing/share";
import { type HostileFile, hostileFile } from "./hostile-files.ts";
import { knownFiles } from "./known-files.ts";
import { type FileEffort, FileReading, isTooSlow } from "./read-one.ts";

// A part of the campaign in `hostile-folder.campaign.ts`, on short files.

/** Files of each kind, and bytes of each at most. */
const [files, maxBytes] = [60, 8_192];

/** Reads files, and returns those that are too slow twice: other processes take a processor's caches. */
async function tooSlow(some: readonly HostileFile[]): Promise<readonly FileEffort[]> {
  const reading = new FileReading();
  const found: FileEffort[] = [];
  try {
    for (const file of some) {
      const isSlow = isTooSlow(await reading.read(file, ["obsidian"]));
      const again = isSlow ? await reading.read(file, ["obsidian"]) : null;
      if (again !== null && isTooSlow(again)) found.push(again);
    }
  } finally {
    await reading.close();
  }
  return found;
}

const short = (file: HostileFile): HostileFile => ({ ...file, bytes: file.bytes.subarray(0, maxBytes) });

for (const part of ["front matter", "text"] as const)
  test(`SRC-2: no hostile ${part} stops the reading of a folder, or takes long: a small part of the campaign`, async (t) => {
    const seed = runSeed % 1_000_000;
    t.diagnostic(`seed ${seed}`);
    const some = Array.from({ length: files }, (_, index) => short(hostileFile(seed + index, { of: part })));
    assert.deepEqual(await tooSlow(some), []);
  });

test("SRC-2: files that once stopped the reading of a folder do not", async () => {
  const some = Object.entries(knownFiles()).map(([name, text]) =>
    short({ seed: 0, kind: name, name, bytes: Buffer.from(text) }),
  );
  assert.deepEqual(await tooSlow(some), []);
});

test("a seed makes the same file again", () => {
  for (const seed of [1, 2, 3]) assert.deepEqual(hostileFile(seed), hostileFile(seed));
});

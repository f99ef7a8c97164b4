import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { type HostileOptions, hostileFile } from "./hostile-files.ts";
import { healthyNote, knownFiles } from "./known-files.ts";
import { readBeside } from "./live.ts";
import { measureMemory } from "./memory.ts";
import { type FileEffort, isTooSlow, readFiles } from "./read-one.ts";

/**
 * No file of a folder can stop, slow or fill Clew (SRC-2): `SEED=1 FILES=3000 PARTS=texts,beside npm run campaign hostile-folder`.
 * `front-matter` and `texts` read files one by one and print the processor time; `memory` prints the peaks of memory; `beside` and
 * `known` have a whole Clew read them beside a healthy folder that is edited. The exit code is 1 if a limit was broken.
 */
const seed = Number(process.env.SEED ?? 1);
const files = Number(process.env.FILES ?? 3_000);
const parts = (process.env.PARTS ?? "front-matter,texts,memory,known,beside").split(",");

/** Megabytes above the idle process that the reading of a page may take. */
const maxPageMb = 300;
/** Megabytes of a Clew that reads hostile files. */
const maxClewMb = 600;
/** Files beside a healthy folder, and files of which the memory is measured. */
const besideFiles = Math.min(files, 300);

const loads: number[] = [];

function fault(text: string): void {
  process.exitCode = 1;
  console.log(`  BROKEN: ${text}`);
}

const line = ({ seed, kind, bytes, folder, text, content, index, endedAt }: FileEffort) =>
  `seed ${seed}, ${kind}, ${bytes} bytes: folder ${Math.round(folder.ms)} ms (${folder.what}), text ${Math.round(text)}, content ` +
  `${Math.round(content)}, index ${Math.round(index)}${endedAt === null ? "" : `, ended at ${endedAt}`}`;

/** The values below which half, 90 %, 99 % and all of the numbers are. */
function distribution(descending: readonly number[]): string {
  const at = (share: number) => Math.round(descending[Math.floor(share * (descending.length - 1))] ?? 0);
  return `${at(0.5)}, ${at(0.1)}, ${at(0.01)} and ${at(0)} ms`;
}

async function readEach(name: string, of: HostileOptions["of"]): Promise<void> {
  const report = await readFiles({ from: seed, count: files }, { of, longShare: 0.02 }, (effort) => {
    if (isTooSlow(effort)) fault(line(effort));
  });
  const texts = report.text.map(({ text, content, index }) => Math.max(text, content, index));
  console.log(
    `${name}: ${report.files} files from seed ${seed}, ${Math.round(report.bytes / 1e6)} MB; half, 90 %, 99 % and all within: ` +
      `folders' thread ${distribution(report.folder.map(({ folder }) => folder.ms))}, threads of texts ${distribution(texts)}; ` +
      `${report.tooSlow.length} above a limit`,
  );
  for (const effort of report.folder.slice(0, 3))
    console.log(`  longest in the folders' thread: ${line(effort)}`);
  for (const effort of report.text.slice(0, 3)) console.log(`  longest text: ${line(effort)}`);
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "hostile-"));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const hostile = (count: number): Record<string, Uint8Array> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const { name, bytes } = hostileFile(seed + index);
      return [name, bytes];
    }),
  );

const known = () => ({ ...knownFiles(), "long-note.md": healthyNote(4.9) });

const memory = () =>
  inFolder(async (folder) => {
    // Some names are none for this system.
    for (const [name, content] of Object.entries({ ...known(), ...hostile(besideFiles) }))
      await writeFile(join(folder, name), content).catch(() => {});
    const pages = await measureMemory(folder, ({ title, idleMb, peakMb, outcome }) => {
      if (peakMb - idleMb > maxPageMb)
        fault(`${title}: ${peakMb - idleMb} MB above the idle process, ${outcome}`);
    });
    console.log(`memory: ${pages.length} pages, idle ${pages[0]?.idleMb} MB; most above it:`);
    for (const { title, peakMb, idleMb, outcome } of pages.slice(0, 8))
      console.log(`  ${title}: ${peakMb - idleMb} MB, ${outcome}`);
  });

const beside = (
  name: string,
  some: Readonly<Record<string, string | Uint8Array>>,
  expect: readonly string[],
) =>
  inFolder(async (folder) => {
    const report = await readBeside(folder, some, { nodeOptions: "--max-old-space-size=600", expect });
    console.log(`${name}: ${JSON.stringify(report)}`);
    const { beside, peakMb, syncsAtRest, exitCode } = report;
    if (beside.median > 2_000 || beside.worst > 10_000)
      fault(`edits are found after ${JSON.stringify(beside)}`);
    if (peakMb > maxClewMb) fault(`${peakMb} MB`);
    if (syncsAtRest > 0) fault(`${syncsAtRest} syncs of a folder at rest`);
    if (exitCode !== 0) fault(`SIGTERM ends it with ${exitCode}`);
  });

const work: Readonly<Record<string, () => Promise<void>>> = {
  "front-matter": () => readEach("front matter", "front matter"),
  texts: () => readEach("texts", "text"),
  memory,
  known: () => beside("known files", known(), ["pangolin"]),
  beside: () => beside("hostile files", hostile(besideFiles), []),
};

for (const part of parts) {
  loads.push(loadavg()[0] ?? 0);
  await work[part]?.();
}
console.log(`load of the machine: ${loads.map((load) => Math.round(load)).join(", ")}`);

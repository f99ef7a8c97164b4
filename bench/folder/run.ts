import { appendFile, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { type ChangedNode, openWorkspace, watchFolder } from "@clew/folder";
import { seededRandom } from "@clew/stand-in/testing/random";
import { writeLargeFolder } from "./large-folder.ts";
import { measureLatencies } from "./latencies.ts";

// A large folder of Markdown: how long it takes to read it, how soon an edit is seen, and what watching costs while nothing
// happens. `npm run bench folder`; the files have 4 kB and eight links each.

const files = Number(process.env.FILES ?? 100_000);
const edits = Number(process.env.EDITS ?? 100);
const idleSeconds = Number(process.env.IDLE_SECONDS ?? 125);
const random = seededRandom(Number(process.env.SEED ?? 1));

const root = await mkdtemp(path.join(tmpdir(), "bench-folder-"));
const directory = path.join(root, "notes");
const fileAt = await writeLargeFolder(directory, files, random);
try {
  await measure();
} finally {
  await rm(root, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const memoryFile = path.join(root, "pages.jsonl");
  const opened = await timed(`read ${files} files`, () => openWorkspace(directory, { memoryFile }));
  await timed("remember their texts and links", () => opened.ready());
  await timed("look at all again", () => opened.reload());
  let onChange = (_: readonly ChangedNode[]) => {};
  const ready = Promise.withResolvers<string>();
  const watch = watchFolder(opened, {
    onChange: (changed) => onChange(changed),
    onState: ready.resolve,
    onFailure: ready.reject,
  });
  console.log(`watched by ${await timed("watch", () => ready.promise)}`);
  const seen = (change: () => Promise<unknown>) =>
    new Promise<void>((resolve, reject) => {
      onChange = () => resolve();
      change().catch(reject);
    });
  const added = (count: number) => path.join(directory, `added ${count}.md`);
  await latencies("an edit", (count) => seen(() => appendFile(fileAt((count * 997) % files), "more ")));
  await latencies("a new file", (count) => seen(() => writeFile(added(count), `# Added ${count}`)));
  await latencies("a renamed file", (count) => seen(() => rename(added(count), `${added(count)}.md`)));
  // The last ones left links to follow.
  await setTimeout(10_000);
  const before = process.cpuUsage();
  await setTimeout(idleSeconds * 1_000);
  const { user, system } = process.cpuUsage(before);
  console.log(`idle: ${((user + system) / idleSeconds / 10_000).toFixed(2)} % of a processor`);
  await watch.stop();
}

async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const [from, cpu] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const { user, system } = process.cpuUsage(cpu);
  const memory = Math.round(process.memoryUsage.rss() / 1e6);
  const seconds = ((performance.now() - from) / 1_000).toFixed(2);
  console.log(
    `${name}: ${seconds} s, ${((user + system) / 1e6).toFixed(2)} s of processor time, ${memory} MB`,
  );
  return result;
}

async function latencies(name: string, once: (count: number) => Promise<void>): Promise<void> {
  const cpu = process.cpuUsage();
  const { median, p99 } = await measureLatencies(edits, random, once);
  const { user, system } = process.cpuUsage(cpu);
  const each = ((user + system) / edits / 1e6).toFixed(2);
  console.log(`${name}: ${each} s of processor time, with the links of other pages`);
  console.log(`${name} is known after ${median} ms, ${p99} ms (99 %)`);
}

import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openWorkspace } from "@clew/folder";
import { integer, type Random, seededRandom } from "@clew/stand-in/testing/random";
import { EditedFolder } from "./edits.ts";
import { type Shown, shownIn } from "./shown.ts";
import type { Told } from "./watching-process.ts";

/** What a run went through. */
export interface Report {
  readonly edits: number;
  readonly batches: number;
  readonly kills: number;
  /** Files that kept their ids although they moved. */
  readonly kept: number;
}

/**
 * Edits a folder at random while a process watches it and is killed now and then. After each batch, what the process shows is
 * what a fresh one shows, what it told of changes makes up the same, and a file that moved has its id.
 */
export async function runEdits(
  seed: number,
  { edits, files }: { edits: number; files: number },
): Promise<Report> {
  const folder = await mkdtemp(path.join(tmpdir(), "folder-edits-"));
  const directory = path.join(folder, "notes");
  await mkdir(directory);
  const random = seededRandom(seed);
  const edited = new EditedFolder(directory, random);
  await edited.fill(files);
  const watching = new Watching(directory, path.join(folder, "pages.jsonl"));
  const report = { edits: 0, batches: 0, kills: 0, kept: 0 };
  const made: string[] = [];
  try {
    await watching.start();
    let before = await watching.settle();
    while (report.edits < edits) {
      report.batches += 1;
      made.length = 0;
      const isKilled = random() < 0.25;
      for (let count = integer(random, 1, 24); count > 0; count -= 1, report.edits += 1) {
        made.push(await edited.edit());
        await pauseAtRandom(random);
        if (!isKilled || random() > 0.2) continue;
        await watching.kill();
        report.kills += 1;
        made.push(await edited.edit());
        await watching.start();
      }
      const after = await watching.settle();
      assert.deepEqual(byPath(after), byPath(await afresh(directory)), "a fresh import");
      assert.deepEqual(withoutNames(watching.replica), withoutNames(after), "what was told");
      report.kept += assertKept(before, after);
      before = after;
    }
  } catch (error) {
    throw new Error(`seed ${seed}, batch ${report.batches}: ${made.join(", ")}`, { cause: error });
  } finally {
    await watching.kill();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  return report;
}

type ShownById = ReadonlyMap<string, Shown>;

/** The process that watches, and what is known from what it told. */
class Watching {
  readonly replica = new Map<string, Shown>();
  readonly #args: readonly string[];
  #process: ChildProcess | null = null;
  #settled: ((shown: ShownById) => void) | null = null;

  constructor(...args: readonly string[]) {
    this.#args = args;
  }

  async start(): Promise<void> {
    const started = fork(fileURLToPath(new URL("./watching-process.ts", import.meta.url)), this.#args);
    this.#process = started;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    started.once("exit", (code) => reject(new Error(`the process ended with ${code}`)));
    started.on("message", (told: Told) => {
      if (told.type === "whole") this.replica.clear();
      if (told.type === "settled") this.#settled?.(new Map(told.shown));
      else this.#change(told.shown);
      resolve();
    });
    await promise;
  }

  #change(shown: readonly (readonly [string, Shown | null])[]): void {
    for (const [id, page] of shown) {
      if (page === null) this.replica.delete(id);
      else this.replica.set(id, page);
    }
  }

  /** Waits until the process has looked at everything. */
  settle(): Promise<ShownById> {
    const { promise, resolve } = Promise.withResolvers<ShownById>();
    this.#settled = resolve;
    this.#process?.send("settle");
    return promise;
  }

  async kill(): Promise<void> {
    const running = this.#process;
    this.#process = null;
    if (running === null || running.exitCode !== null || !running.kill("SIGKILL")) return;
    await once(running, "exit");
  }
}

async function afresh(directory: string): Promise<ShownById> {
  return shownIn(await (await openWorkspace(directory)).ready());
}

/** Ids of a fresh import are other ones: its pages are found by their paths. */
function byPath(shown: ShownById): unknown {
  return Object.fromEntries([...shown.values()].map((page) => [`${page.of} ${page.path}`, page]).sort());
}

/** What was told names pages by their ids, and the path of a page is not told. */
function withoutNames(shown: ShownById): unknown {
  return Object.fromEntries(
    [...shown].map(([id, { of, title, text, properties }]) => [id, { of, title, text, properties }]).sort(),
  );
}

/** Asserts that files with a text of their own have kept their ids where they moved. Returns how many there were. */
function assertKept(before: ShownById, after: ShownById): number {
  let kept = 0;
  const [earlier, later] = [placesByText(before), placesByText(after)];
  const paths = new Set([...after.values()].map(({ path: place }) => place));
  const known = new Set([...before.values()].map(({ path: place }) => place));
  for (const [text, [id, ...more]] of earlier) {
    const [now, ...others] = later.get(text) ?? [];
    if (id === undefined || now === undefined || more.length > 0 || others.length > 0) continue;
    const from = before.get(id)?.path ?? "";
    const to = after.get(now)?.path ?? "";
    if (paths.has(from) || known.has(to)) continue;
    assert.equal(now, id, `${from} moved to ${to}`);
    kept += 1;
  }
  return kept;
}

function placesByText(shown: ShownById): Map<string, string[]> {
  const places = new Map<string, string[]>();
  for (const [id, { text, of }] of shown)
    if (text !== null && of === "page") places.set(text, [...(places.get(text) ?? []), id]);
  return places;
}

function pauseAtRandom(random: Random): Promise<void> {
  const kind = random();
  if (kind < 0.6) return Promise.resolve();
  return setTimeout(kind < 0.9 ? integer(random, 0, 10) : integer(random, 10, 60));
}

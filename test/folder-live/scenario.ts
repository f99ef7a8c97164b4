import assert from "node:assert/strict";
import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { openWorkspace } from "@clew/folder";
import { integer, pick, type Random, seededRandom } from "@clew/stand-in/testing/random";
import { EditedFolder } from "../folder-edits/edits.ts";
import { FeedReader, ownGraph } from "./feed-reader.ts";
import { type DatedPlace, freshImport, placesIn, wrongTimes } from "./fresh-import.ts";
import { byPlace, differences, type Graph, type Place, readGraph } from "./graph.ts";
import { KeptIds } from "./kept-ids.ts";
import { LiveClew } from "./live-clew.ts";

/** A summary of a run. */
export interface Report {
  edits: number;
  batches: number;
  /** Kills by what Clew was doing, as far as it is known. */
  readonly kills: Record<Moment, number>;
  /** Files that moved and must have kept their ids, and did. */
  kept: number;
  /** Items of the changes feed, and how often its cursor had expired. */
  feedItems: number;
  feedRestarts: number;
}

interface Options {
  /** The least number of edits. */
  readonly edits: number;
  /** The number of files at first. */
  readonly files: number;
  /** Is called after each batch that was right. */
  readonly onBatch?: (report: Report) => void;
}

/**
 * `edited`: right after an edit · `looking`: when a look at the folder is due · `syncing`: in a sync · `starting`: before it answered.
 */
type Moment = "edited" | "looking" | "syncing" | "starting";

/** Milliseconds in which Clew must show a batch. It is much less, but machines are busy. */
const settledWithin = 120_000;

/** The longest that a comparison waits for an item of the feed, in milliseconds: not all that it compares is listed there. */
const waitMs = 1_000;

/**
 * Edits a folder at random while Clew runs over it and is killed now and then. After each batch, what the API answers is what a fresh
 * Clew answers, a reader that applied the changes feed has the same graph, and a file that moved has its id.
 */
export async function runLiveEdits(seed: number, options: Options): Promise<Report> {
  const { edits, onBatch } = options;
  const run = await Run.open(seed, options);
  try {
    while (run.report.edits < edits) {
      await run.batch();
      onBatch?.(run.report);
    }
    return await run.end();
  } catch (error) {
    throw new Error(`seed ${seed}, batch ${run.report.batches}: ${run.made.join(", ")}`, { cause: error });
  } finally {
    await run.close();
  }
}

class Run {
  readonly report: Report = {
    ...{ edits: 0, batches: 0 },
    kills: { edited: 0, looking: 0, syncing: 0, starting: 0 },
    ...{ kept: 0, feedItems: 0, feedRestarts: 0 },
  };
  /** The edits and kills of the batch. */
  made: string[] = [];
  readonly #edits: number;
  readonly #folder: string;
  readonly #directory: string;
  readonly #random: Random;
  readonly #edited: EditedFolder;
  readonly #ids: KeptIds;
  readonly #clew: LiveClew;
  readonly #reader: FeedReader;
  #before: readonly Place[] = [];

  private constructor(
    edits: number,
    folder: string,
    parts: { random: Random; edited: EditedFolder; ids: KeptIds; clew: LiveClew },
  ) {
    this.#edits = edits;
    this.#folder = folder;
    this.#directory = path.join(folder, "notes");
    this.#random = parts.random;
    this.#edited = parts.edited;
    this.#ids = parts.ids;
    this.#clew = parts.clew;
    this.#reader = new FeedReader(parts.clew.client);
  }

  static async open(seed: number, { edits, files }: Options): Promise<Run> {
    const folder = await mkdtemp(path.join(tmpdir(), "folder-live-"));
    const directory = path.join(folder, "notes");
    await mkdir(directory);
    const random = seededRandom(seed);
    const ids = new KeptIds(directory);
    const edited = new EditedFolder(directory, random, () => ids.record());
    ids.clewEnds();
    await edited.fill(files);
    ids.clewStarts();
    const clew = await LiveClew.open(directory, path.join(folder, "data"));
    const run = new Run(edits, folder, { random, edited, ids, clew });
    run.#before = (await run.#shown()).places;
    return run;
  }

  /** Makes some edits, kills Clew meanwhile or not, and compares. */
  async batch(): Promise<void> {
    const random = this.#random;
    this.report.batches += 1;
    this.made = [];
    const isKilled = random() < 0.4;
    const size = Math.min(random() < 0.25 ? 1 : integer(random, 2, 24), this.#edits - this.report.edits);
    for (let count = size; count > 0; count -= 1) {
      await this.#edit();
      await pauseAtRandom(random);
      if (isKilled && random() < 0.15) await this.#killAtRandom();
    }
    if (isKilled && random() < 0.5) await this.#killAtRandom();
    await this.#compare();
  }

  async end(): Promise<Report> {
    await this.#reader.stop();
    assert.deepEqual(this.#clew.errors(), [], "errors in the log");
    this.report.feedItems = this.#reader.items;
    this.report.feedRestarts = this.#reader.restarts;
    return this.report;
  }

  async close(): Promise<void> {
    await this.#reader.stop().catch(() => {});
    await this.#clew.kill();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #edit(): Promise<void> {
    this.report.edits += 1;
    this.made.push(await this.#edited.edit());
  }

  /** Kills Clew at a random moment, edits the folder while it is down, and starts it again. */
  async #killAtRandom(): Promise<void> {
    await this.#kill(await this.#awaitMoment());
    for (let count = integer(this.#random, 0, 4); count > 0; count -= 1) await this.#edit();
    await this.#restart();
    if (this.#random() < 0.25) {
      await setTimeout(integer(this.#random, 0, 1_500));
      await this.#kill("starting");
      await this.#restart();
    }
    // Otherwise the next edits are made while it starts.
    if (this.#random() < 0.7) await this.#clew.ready();
  }

  async #kill(moment: Moment): Promise<void> {
    this.made.push(`(killed: ${moment})`);
    this.report.kills[moment] += 1;
    await this.#clew.kill();
    this.#ids.clewEnds();
  }

  async #restart(): Promise<void> {
    this.#ids.clewStarts();
    await this.#clew.restart();
  }

  async #awaitMoment(): Promise<Moment> {
    switch (pick(this.#random, ["edited", "looking", "syncing"] as const)) {
      case "edited":
        await this.#edit();
        return "edited";
      case "looking":
        // A look begins a tenth of a second after an edit.
        await this.#edit();
        await setTimeout(integer(this.#random, 95, 140));
        return "looking";
      case "syncing": {
        await this.#clew.ready();
        await this.#edit();
        const until = performance.now() + 2_000;
        while (performance.now() < until) {
          if (!(await this.#clew.isSyncing())) continue;
          await setTimeout(integer(this.#random, 0, 30));
          return "syncing";
        }
        return "edited";
      }
    }
  }

  /** Waits until Clew shows the folder as it is. Throws if it does not, or if an id or a time is wrong. */
  async #compare(): Promise<void> {
    await this.#clew.ready();
    const fresh = await freshImport(this.#directory, await mkdtemp(path.join(this.#folder, "fresh-")));
    const until = performance.now() + settledWithin;
    for (;;) {
      const { graph, places } = await this.#shown();
      const isLast = performance.now() > until;
      const shown = byPlace(graph, places);
      const differing = [...differences(shown, fresh.shown), ...wrongTimes(graph, places, fresh)];
      const copied = [...ownGraph(graph)].sort();
      const copy = [...this.#reader.copy].sort();
      if (differing.length === 0 && isDeepStrictEqual(copy, copied)) {
        this.#assertKept(places);
        this.#before = places;
        return;
      }
      if (isLast) {
        assert.deepEqual(shown, fresh.shown, `a fresh import: ${differing.join(", ")}`);
        assert.deepEqual(wrongTimes(graph, places, fresh), [], "times");
        assert.deepEqual(copy, copied, "the changes feed");
      }
      await Promise.race([this.#reader.next(), setTimeout(waitMs)]);
    }
  }

  /** The graph that Clew shows, and the places of its nodes as Clew remembers them. */
  async #shown(): Promise<{ readonly graph: Graph; readonly places: readonly DatedPlace[] }> {
    const graph = await readGraph(this.#clew.client);
    const copy = path.join(this.#folder, "memory.json");
    await copyFile(this.#clew.memoryFile, copy);
    const opened = await openWorkspace(this.#directory, {
      memoryFile: copy,
      workspaceId: this.#clew.workspaceId,
    });
    return { graph, places: placesIn(await opened.ready()) };
  }

  #assertKept(places: readonly Place[]): void {
    const pageAt = (all: readonly Place[], file: string) =>
      all.find((place) => place.kind === "page" && place.file === file);
    for (const { from, to } of this.#ids.take()) {
      const [before, after] = [pageAt(this.#before, from), pageAt(places, to)];
      // A file can also be the text of a database, which has another id.
      if (before === undefined || after === undefined) continue;
      assert.equal(after.id, before.id, `${from} moved to ${to}`);
      if (from !== to) this.report.kept += 1;
    }
  }
}

/** Most edits follow at once; some come when what was edited before is being looked at or synced. */
function pauseAtRandom(random: Random): Promise<void> {
  const kind = random();
  if (kind < 0.5) return Promise.resolve();
  if (kind < 0.75) return setTimeout(integer(random, 0, 20));
  return setTimeout(kind < 0.9 ? integer(random, 20, 150) : integer(random, 150, 800));
}

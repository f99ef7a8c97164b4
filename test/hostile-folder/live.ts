import { readFile, writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { SyncReportList } from "@clew/contract";
import { call } from "../support/call.ts";
import { type ClewProcess, freePort, spawnClew } from "../support/clew-process.ts";
import { writeFiles } from "../support/markdown-folder.ts";
import {
  addSource,
  createToken,
  readWorkspaces,
  type SignIn,
  signIn,
  waitForSync,
} from "../support/session.ts";

/** A Clew in a process of its own that serves a folder of ordinary pages and, beside it, another one. */
export class BesideClew {
  readonly #clew: ClewProcess;
  readonly #session: SignIn;
  readonly #token: string;
  readonly #good: string;
  #edits = 0;

  private constructor(clew: ClewProcess, session: SignIn, token: string, good: string) {
    this.#clew = clew;
    this.#session = session;
    this.#token = token;
    this.#good = good;
  }

  /** Serves `<folder>/good` and `<folder>/site`, and waits until both have been read. */
  static async open(folder: string, nodeOptions = ""): Promise<BesideClew> {
    const [good, site] = [join(folder, "good"), join(folder, "site")];
    const pages = Array.from({ length: 100 }, (_, index) => [
      `page ${index}.md`,
      `# Page ${index}\n\nOn to [the next](<page ${(index + 1) % 100}.md>). Some words of page ${index}.\n`,
    ]);
    await writeFiles(good, Object.fromEntries(pages));
    await writeFiles(site, { "ok.md": "# Okay\n\nA zebrafish.\n" });
    const clew = await spawnClew({
      FOLDERS: `good=${good},site=${site}`,
      DATA_DIR: join(folder, "data"),
      PORT: String(await freePort()),
      SYNC_INTERVAL: "0",
      RATE_LIMIT_TOKEN: "0",
      RATE_LIMIT_SESSION: "0",
      ...(nodeOptions !== "" && { NODE_OPTIONS: nodeOptions }),
    });
    try {
      await clew.ready();
      const session = await signIn(clew.url);
      await addSource(clew.url, session, "site");
      await waitForSync(clew.url, session);
      const { token } = await createToken(clew.url, session, "reader");
      return new BesideClew(clew, session, token, good);
    } catch (error) {
      await clew.kill();
      throw error;
    }
  }

  /** Saves a page of the healthy folder, and returns the milliseconds until a search finds what is new in it. */
  async edit(): Promise<number> {
    this.#edits += 1;
    const word = `fresh${process.pid}x${this.#edits}`;
    await writeFile(join(this.#good, `page ${this.#edits % 100}.md`), `# Edited\n\nHere is ${word}.\n`);
    const start = performance.now();
    while ((await this.find(word)).length === 0) {
      if (performance.now() - start > maxWaitMs)
        throw new Error("An edit of the healthy folder is not found.");
      await sleep(50);
    }
    return performance.now() - start;
  }

  /** Titles of the pages that a word finds. */
  async find(word: string): Promise<readonly string[]> {
    const { body } = await call<{ items: { node: { title: string } }[] }>(
      this.#clew.url,
      `api/v1/text/?q=${word}`,
      { token: this.#token },
    );
    return body.items.map(({ node }) => node.title);
  }

  /** Waits until no sync runs, and none has ended, for a time. `meanwhile` is repeated. */
  async rest(ms: number, meanwhile: () => Promise<unknown> = async () => {}): Promise<void> {
    let quietSince = performance.now();
    let seen = "";
    while (performance.now() - quietSince < ms) {
      await meanwhile();
      const site = await this.#site();
      const now = `${site.sync.state} ${site.sync.finished_at}`;
      if (site.sync.state !== "idle" || now !== seen) quietSince = performance.now();
      seen = now;
      await sleep(100);
    }
  }

  async #site() {
    const site = (await readWorkspaces(this.#clew.url, this.#session)).find(
      ({ provider }) => provider === "site",
    );
    if (site === undefined) throw new Error("The folder site is not connected.");
    return site;
  }

  /** The syncs of the hostile folder, newest first. */
  async syncs(): Promise<SyncReportList["items"]> {
    const { id } = await this.#site();
    const path = `api/provider-graph/workspaces/${id}/syncs/`;
    const { body } = await call<SyncReportList>(this.#clew.url, path, { token: this.#session.access });
    return body.items;
  }

  /** The number of pages in the hostile folder. */
  async nodes(): Promise<number> {
    return (await this.#site()).nodes;
  }

  /** Megabytes of memory of the process now, and at most since the last call of `forgetPeak`. */
  async memory(): Promise<{ readonly now: number; readonly peak: number }> {
    const status = await readFile(`/proc/${this.#clew.pid}/status`, "utf8");
    const of = (name: string) =>
      Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024);
    return { now: of("VmRSS"), peak: of("VmHWM") };
  }

  async forgetPeak(): Promise<void> {
    await writeFile(`/proc/${this.#clew.pid}/clear_refs`, "5");
  }

  /** Seconds of processor time of the process so far. */
  async processorSeconds(): Promise<number> {
    const stat = await readFile(`/proc/${this.#clew.pid}/stat`, "utf8");
    const [user, system] = stat.slice(stat.lastIndexOf(")")).split(" ").slice(12, 14).map(Number);
    return ((user ?? 0) + (system ?? 0)) / 100;
  }

  output(): string {
    return this.#clew.output();
  }

  /** Ends it with SIGTERM, and returns its exit code. */
  terminate(): Promise<number | null> {
    return this.#clew.terminate();
  }

  kill(): Promise<void> {
    return this.#clew.kill();
  }
}

/** Far longer than an edit takes on a busy machine. */
const maxWaitMs = 120_000;

/** The course of a healthy folder while a hostile one was read. */
export interface BesideReport {
  readonly files: number;
  /** Milliseconds from a save to the answer of a search: before the hostile files came, and while they were read. */
  readonly alone: Waits;
  readonly beside: Waits;
  /** Megabytes of the process: at rest before, and at most meanwhile. */
  readonly idleMb: number;
  readonly peakMb: number;
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly syncs: number;
  /** Within 15 s after the rest. */
  readonly syncsAtRest: number;
  readonly processorSecondsAtRest: number;
  readonly nodes: number;
  readonly failed: readonly string[];
  readonly named: number;
  readonly threadsEnded: number;
  readonly exitCode: number | null;
  readonly load: number;
}

interface Waits {
  readonly count: number;
  readonly median: number;
  readonly worst: number;
}

function waitsOf(all: readonly number[]): Waits {
  const sorted = all.toSorted((a, b) => a - b);
  return {
    count: all.length,
    median: Math.round(sorted[Math.floor(all.length / 2)] ?? 0),
    worst: Math.round(sorted.at(-1) ?? 0),
  };
}

/** Has a Clew read hostile files beside a healthy folder, which is edited all the while. */
export async function readBeside(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  { edits = 20, pauseMs = 1_000, restMs = 15_000, nodeOptions = "", expect = [] as readonly string[] } = {},
): Promise<BesideReport> {
  const clew = await BesideClew.open(folder, nodeOptions);
  try {
    const repeat = async (count: number) => {
      const waits: number[] = [];
      for (let index = 0; index < count; index += 1) {
        waits.push(await clew.edit());
        await sleep(pauseMs);
      }
      return waits;
    };
    await repeat(2);
    const alone = await repeat(edits);
    const { now: idleMb } = await clew.memory();
    await clew.forgetPeak();
    const [before, start] = [await clew.processorSeconds(), performance.now()];
    for (const [name, content] of Object.entries(files))
      await writeFile(join(folder, "site", name), content).catch(() => {});
    const waits: number[] = [];
    await clew.rest(restMs, async () => {
      waits.push(await clew.edit());
      await sleep(pauseMs);
    });
    for (const word of ["zebrafish", ...expect])
      if ((await clew.find(word)).length === 0) throw new Error(`The word ${word} is not found.`);
    const [seconds, after] = [(performance.now() - start) / 1_000, await clew.processorSeconds()];
    const syncs = await clew.syncs();
    const { peak: peakMb } = await clew.memory();
    await sleep(restMs);
    const later = await clew.syncs();
    return {
      files: Object.keys(files).length,
      alone: waitsOf(alone),
      beside: waitsOf(waits),
      ...{ idleMb, peakMb },
      seconds: Math.round(seconds),
      processorSeconds: Math.round(after - before),
      syncs: syncs.length,
      syncsAtRest: later.length - syncs.length,
      processorSecondsAtRest: Math.round(((await clew.processorSeconds()) - after) * 10) / 10,
      nodes: await clew.nodes(),
      failed: later[0]?.failed.map(({ title, reason }) => `${title}: ${reason}`) ?? [],
      named: later[0]?.source?.named.length ?? 0,
      threadsEnded: clew.output().split("a thread was ended").length - 1,
      exitCode: await clew.terminate(),
      load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
    };
  } finally {
    await clew.kill();
  }
}

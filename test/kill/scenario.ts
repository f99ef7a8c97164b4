import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Random, seededRandom } from "@clew/stand-in/testing/random";
import { type ClewProcess, freePort } from "../support/clew-process.ts";
import { writeLinkedPages } from "../support/markdown-folder.ts";
import { signIn, waitForSync } from "../support/session.ts";
import { openStage, type Stage } from "../support/stage.ts";
import { type NodeWithReferences, readWholeGraph } from "../support/whole-graph.ts";
import { isCut, together } from "./cut.ts";
import { type Ledger, openLedger } from "./ledger.ts";
import { verify } from "./verify.ts";
import { watch, work } from "./work.ts";

/** Kills happen within this multiple of the duration of an undisturbed sync, because the other requests slow it down. */
const slowdown = 1.5;

/** Milliseconds within which an interrupted sync must be finished. */
const timeoutMs = 180_000;

/** The result of a run without a kill. */
export interface Undisturbed {
  /** The folder of Markdown. */
  readonly folder: string;
  readonly graph: readonly NodeWithReferences[];
  /** Milliseconds from the start of the process until it was ready, and from the sign-in to the end of the sync. */
  readonly startTime: number;
  readonly syncTime: number;
}

/** The work of a process when it was killed, by its last report. */
export type Moment = "starting" | "syncing" | "resting";

/** The result of a round. */
export interface Round {
  readonly killedWhile: readonly Moment[];
  readonly tokens: number;
  readonly revocations: number;
  readonly sessions: number;
  readonly logouts: number;
}

/**
 * Syncs the folder that all rounds of a campaign use, without a kill. Up to 150 pages cost no more calls than the
 * provider allows in one burst.
 */
export async function runUndisturbed(stage: Stage, pages: number): Promise<Undisturbed> {
  const folder = join(stage.folder, "pages");
  const size = await writeLinkedPages(folder, pages);
  const began = performance.now();
  const clew = await stage.start({ WORKSPACE_DIR: folder });
  const ready = performance.now();
  const owner = await signIn(clew.url);
  await waitForSync(clew.url, owner);
  const synced = performance.now();
  const graph = await readWholeGraph(clew.url, owner.access);
  assert.equal(graph.length, size.nodes, "an undisturbed sync finds every page");
  await clew.kill();
  return { folder, graph, startTime: ready - began, syncTime: synced - ready };
}

/**
 * Starts Clew three times on one database. `kill -9` ends the first two processes at moments that the seed decides: the
 * first during the sync after a sign-in, the second at any time after its start. After each, everything that was
 * acknowledged must be stored, and the last must produce the graph of the undisturbed run. Throws if anything is lost.
 */
export async function runRound(seed: number, undisturbed: Undisturbed): Promise<Round> {
  const random = seededRandom(seed);
  const stage = await openStage();
  try {
    const settings = { WORKSPACE_DIR: undisturbed.folder, PORT: String(await freePort()) };
    const first = await stage.start(settings);
    const ledger = openLedger(await signIn(first.url));
    const syncTime = slowdown * undisturbed.syncTime;
    const killedWhile = [
      await live(first, ledger, random, random() * syncTime),
      await live(await stage.spawn(settings), ledger, random, random() * (undisturbed.startTime + syncTime)),
    ];
    const last = await stage.start(settings);
    await verify(last.url, ledger);
    const synced = await Promise.race([
      waitForSync(last.url, ledger.owner),
      sleep(timeoutMs, null, { ref: false }),
    ]);
    assert(synced, "the interrupted sync is resumed");
    const graph = await readWholeGraph(last.url, ledger.owner.access);
    assert.deepEqual(graph, undisturbed.graph, "the graph is that of an undisturbed run");
    assert.equal(await last.terminate(), 0);
    return { killedWhile, ...countsOf(ledger) };
  } catch (cause) {
    throw new Error(`Round with seed ${seed}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  } finally {
    await stage.close();
  }
}

/** Verifies the ledger, then sends requests until the process is killed after this many milliseconds. */
async function live(clew: ClewProcess, ledger: Ledger, random: Random, time: number): Promise<Moment> {
  const end = new AbortController();
  let ready = false;
  const life = async () => {
    await clew.ready();
    ready = true;
    const busy = verify(clew.url, ledger).then(() => work(clew.url, ledger, random, end.signal));
    await together([busy, watch(clew.url, ledger, end.signal)]);
  };
  const lived = life().catch((error: unknown) => {
    if (!end.signal.aborted || !isCut(error)) throw error;
  });
  await Promise.race([sleep(time), lived]);
  end.abort();
  await clew.kill();
  await lived;
  if (!ready) return "starting";
  return ledger.sync === "idle" ? "resting" : "syncing";
}

function countsOf({ tokens, sessions }: Ledger): Omit<Round, "killedWhile"> {
  return {
    tokens: tokens.length,
    revocations: tokens.filter(({ revocation }) => revocation === "acknowledged").length,
    sessions: sessions.length,
    logouts: sessions.filter(({ logout }) => logout === "acknowledged").length,
  };
}

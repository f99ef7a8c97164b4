import assert from "node:assert/strict";
import type { RecordedRequest } from "@clew/stand-in/testing";
import { seededRandom } from "@clew/stand-in/testing/random";
import { maxConcurrentCalls } from "../../packages/server/src/sync/provider-calls.ts";
import { openStage } from "./stage.ts";

/** The result of a round. */
export interface Round {
  /** The sync and phase of each kill. */
  readonly killedWhile: string[];
  /** The number of texts that were requested again because a kill came between request and commit. */
  repeatedTexts: number;
}

/**
 * Runs a first and an incremental sync of a random workspace. `kill -9` ends the process of each one to three times, at
 * moments that the seed decides, and a new process resumes the sync. Throws unless
 *
 * 1. everything that a process committed is stored after its end (OPS-6),
 * 2. no text is requested twice within a sync, except those in flight at a kill (SYNC-6),
 * 3. the final graph equals that of an undisturbed first sync.
 */
export async function runRound(seed: number): Promise<Round> {
  const random = seededRandom(seed);
  const stage = await openStage(random);
  const round: Round = { killedWhile: [], repeatedTexts: 0 };
  try {
    for (const name of ["first", "incremental"]) {
      if (name === "incremental") await stage.change();
      const expectedCalls = await stage.request();
      const kills = 1 + Math.floor(random() * 3);
      for (let life = 0; life < kills; life += 1) {
        const phase = await stage.live({
          calls: Math.ceil(random() * expectedCalls),
          milliseconds: random() * 10,
        });
        round.killedWhile.push(`${name}: ${phase ?? "over"}`);
      }
      await stage.live(null);
      const again = countRepeatedTexts(stage.requests());
      assert(again <= kills * maxConcurrentCalls, `${again} texts were requested again after ${kills} kills`);
      round.repeatedTexts += again;
      await stage.verify();
    }
    return round;
  } catch (cause) {
    throw new Error(`Round with seed ${seed}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  } finally {
    await stage.close();
  }
}

/** The number of repeated requests for the same text or part of a text. */
function countRepeatedTexts(requests: readonly RecordedRequest[]): number {
  const ids = requests.filter(({ route }) => route === "/v1/pages/:page_id/markdown").map(({ id }) => id);
  return ids.length - new Set(ids).size;
}

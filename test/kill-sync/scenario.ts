import assert from "node:assert/strict";
import type { RecordedRequest } from "@clew/stand-in/testing";
import { seededRandom } from "@clew/stand-in/testing/random";
import { maxConcurrentCalls } from "../../packages/server/src/sync/provider-calls.ts";
import { openStage } from "./stage.ts";

/** What happened in a round. */
export interface Round {
  /** In which phase of which sync each kill fell. */
  readonly killedWhile: string[];
  /** Texts that were asked for again because a kill fell between their question and their commit. */
  askedAgain: number;
}

/**
 * A first and an incremental sync of a random workspace, each by a process that `kill -9` ends once, twice or three times
 * at a moment that the seed decides, by a new process that goes on, until it is done. Throws unless
 *
 * 1. whatever a process had committed is there after its end (OPS-6),
 * 2. no text is asked for twice within the sync, but for those that were under way at a kill (SYNC-6),
 * 3. the graph in the end is that of an undisturbed first sync.
 */
export async function runRound(seed: number): Promise<Round> {
  const random = seededRandom(seed);
  const stage = await openStage(random);
  const round: Round = { killedWhile: [], askedAgain: 0 };
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
      const again = textsAskedAgain(stage.requests());
      assert(again <= kills * maxConcurrentCalls, `${again} texts were asked for again after ${kills} kills`);
      round.askedAgain += again;
      await stage.verify();
    }
    return round;
  } catch (cause) {
    throw new Error(`Round with seed ${seed}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  } finally {
    await stage.close();
  }
}

/** How many requests for texts were repeated, of the same page or part of one. */
function textsAskedAgain(requests: readonly RecordedRequest[]): number {
  const ids = requests.filter(({ route }) => route === "/v1/pages/:page_id/markdown").map(({ id }) => id);
  return ids.length - new Set(ids).size;
}

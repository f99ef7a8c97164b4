import { setTimeout } from "node:timers/promises";
import type { SyncOutcome } from "@clew/contract";
import type { Sleep } from "../model/runtime.ts";

/** The first pause, and the longest, in milliseconds. */
const firstPauseMs = 5_000;
const longestPauseMs = 60 * 60_000;

/** A connection whose watch has begun again since anything was as it should be. */
interface Paused {
  pauseMs: number;
  /** Ends the pause that is under way; null if there is none. */
  end: (() => void) | null;
}

/**
 * A watch that begins again asks for a whole sync, since nobody knows what it missed. If that sync ends the watch once more, as where
 * it needs too much memory, this would go on for ever: so each time there is a longer pause, until a sync ends complete or
 * something has changed.
 */
export class WatchPauses {
  readonly #sleep: Sleep;
  readonly #stopping = new AbortController();
  readonly #paused = new Map<number, Paused>();

  constructor(sleep: Sleep = pause) {
    this.#sleep = sleep;
  }

  /** Waits before the sync of a watch that begins. False if the sync is not to be requested: another one waits, or Clew stops. */
  async wait(connectionId: number, lastOutcome: SyncOutcome | null): Promise<boolean> {
    const { signal } = this.#stopping;
    const before = this.#paused.get(connectionId);
    if (before !== undefined && before.end !== null) return false;
    const isBad = before !== undefined && lastOutcome !== null && lastOutcome !== "complete";
    const paused: Paused = { pauseMs: isBad ? before.pauseMs : 0, end: null };
    this.#paused.set(connectionId, paused);
    if (paused.pauseMs > 0) await this.#pause(paused);
    paused.pauseMs = Math.min(Math.max(firstPauseMs, paused.pauseMs * 2), longestPauseMs);
    return !signal.aborted;
  }

  /** Notes a change: the sync that waits need not, and the next pause is short again. */
  noteChange(connectionId: number): void {
    this.#paused.get(connectionId)?.end?.();
    this.#paused.delete(connectionId);
  }

  /** Ends all pauses. */
  stop(): void {
    this.#stopping.abort(new Error("Clew is stopping"));
  }

  async #pause(paused: Paused): Promise<void> {
    const ending = new AbortController();
    paused.end = () => ending.abort();
    const signal = AbortSignal.any([ending.signal, this.#stopping.signal]);
    await this.#sleep(paused.pauseMs, signal).catch(() => {});
    paused.end = null;
  }
}

const pause: Sleep = (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal, ref: false });

import type { Clock } from "../../../model/clock.ts";

/** Waits; throws the signal's reason where it is aborted. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** The rate limit of one grant: whoever wants to send a request takes its turn first. */
export interface Pace {
  /** Resolves when a request may be sent. `onWait` is told where that takes long, and until when. */
  turn(signal: AbortSignal, onWait: (until: number) => void): Promise<void>;
  /** Lets nobody send a request before a time, in milliseconds since the Unix epoch. */
  pause(until: number): void;
  /** Whether no request that was sent counts any more. */
  isIdle(): boolean;
}

/** Milliseconds over which the provider counts requests. */
const period = 60_000;

/** Waits that are shorter are not worth telling. */
const noticeable = 1000;

/**
 * Keeps to at most `requests` in any minute. They may be spent in one burst, as the provider lets them.
 * https://developers.notion.com/reference/request-limits
 */
export function createPace(parts: { requests: number; clock: Clock; sleep: Sleep }): Pace {
  const { requests, clock, sleep } = parts;
  /** When requests were sent that still count. */
  const sent: number[] = [];
  let pausedUntil = 0;

  const nextTurn = (): number => {
    const end = sent.findIndex((time) => time > clock() - period);
    sent.splice(0, end === -1 ? sent.length : end);
    const [oldest = 0] = sent;
    return Math.max(pausedUntil, sent.length < requests ? 0 : oldest + period);
  };

  return {
    async turn(signal, onWait) {
      for (;;) {
        signal.throwIfAborted();
        const turn = nextTurn();
        const wait = turn - clock();
        if (wait <= 0) break;
        if (wait >= noticeable) onWait(turn);
        await sleep(wait, signal);
      }
      sent.push(clock());
    },
    pause(until) {
      pausedUntil = Math.max(pausedUntil, until);
    },
    isIdle: () => clock() >= Math.max(pausedUntil, (sent.at(-1) ?? 0) + period),
  };
}

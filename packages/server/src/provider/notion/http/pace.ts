import type { Clock } from "../../../model/runtime.ts";

/** Waits; throws the signal's reason where it is aborted. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** The rate limit of one grant: whoever wants to send a request takes its turn first. */
export interface Pace {
  /** Resolves when a request may be sent. `onWait` is told where that takes long, and until when. */
  turn(signal: AbortSignal, onWait: (until: number) => void): Promise<void>;
  /** Lets nobody send a request before a time, in milliseconds since the Unix epoch. */
  pause(until: number): void;
  /**
   * Allows fewer requests for a while: the provider found them too many. `pauseMs` is how long it asks to be left in
   * peace, after which the budget recovers.
   */
  slowDown(pauseMs: number): void;
  /** Whether no request that was sent counts any more. */
  isIdle(): boolean;
}

/** Milliseconds over which the provider counts requests. */
const period = 60_000;

/** Waits that are shorter are not worth telling. */
const noticeable = 1000;

/** Milliseconds over which the share of the budget that a refusal cut comes back, evenly (SYNC-4). */
const recoveryMs = 90_000;

/**
 * Keeps to at most `requests` in any minute. They may be spent in one burst, as the provider lets them.
 *
 * The documented limit is not the only one: a workspace has a limit of its own, which the grants of others use up as
 * well. So the budget follows what the provider's answers say: it is halved when a request is refused and comes back
 * soon, since a refusal may be about a moment. It never grows beyond `requests`, even where the provider would allow
 * more, since nothing but being refused would tell.
 * https://developers.notion.com/reference/request-limits
 */
export function createPace(parts: { requests: number; clock: Clock; sleep: Sleep }): Pace {
  const { requests, clock, sleep } = parts;
  /** When requests were sent that still count. */
  const sent: number[] = [];
  let pausedUntil = 0;
  let slowed = { share: 1, at: Number.NEGATIVE_INFINITY };

  const share = () => {
    const recovered = Math.max(0, Math.min(1, (clock() - slowed.at) / recoveryMs));
    return slowed.share + (1 - slowed.share) * recovered;
  };

  const nextTurn = (): number => {
    const end = sent.findIndex((time) => time > clock() - period);
    sent.splice(0, end === -1 ? sent.length : end);
    const allowed = Math.max(1, Math.floor(requests * share()));
    /** The request that must be out of the minute first; none where there is room. */
    const before = sent[sent.length - allowed];
    return Math.max(pausedUntil, before === undefined ? 0 : before + period);
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
    slowDown(pauseMs) {
      // Requests that were under way together are refused together, which says no more than one refusal.
      if (clock() >= slowed.at + period) slowed = { share: share() / 2, at: clock() + pauseMs };
    },
    isIdle: () => share() === 1 && clock() >= Math.max(pausedUntil, (sent.at(-1) ?? 0) + period),
  };
}

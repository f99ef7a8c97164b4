import { Readable } from "node:stream";
import type { Clock } from "../../../model/runtime.ts";

/** What one listener is sent, as text. */
export interface EventStream {
  readonly body: Readable;
  /**
   * Sends what `news` has to say; null is silence. Somebody who has not yet read what was sent before is not asked
   * about: what they missed is told by the latest news once they have.
   */
  tell(news: () => Promise<string | null>): Promise<void>;
  end(): void;
}

/** Milliseconds of silence after which a comment says that the stream lives: less than what proxies wait for. */
const silence = 15_000;
/** Milliseconds that a browser waits before it comes back. */
const retry = 3_000;

/** A stream that begins with an event and ends by itself after `lifetime` milliseconds. */
export function createEventStream(first: string, lifetime: number, clock: Clock): EventStream {
  const endsAt = clock() + lifetime;
  let spokenAt = clock();
  let isRead = false;
  const body = new Readable({
    highWaterMark: 1,
    read() {
      isRead = true;
    },
  });
  const say = (text: string) => {
    isRead = false;
    spokenAt = clock();
    body.push(text);
  };
  // Whoever does not read gets no orderly end either.
  const end = () => void (isRead ? body.push(null) : body.destroy());

  say(`retry: ${retry}\n\n${first}`);
  return {
    body,
    end,
    async tell(news) {
      if (clock() >= endsAt) return end();
      if (!isRead) return;
      const text = await news();
      if (body.destroyed) return;
      if (text !== null) say(text);
      else if (clock() - spokenAt >= silence) say(": still here\n\n");
    },
  };
}

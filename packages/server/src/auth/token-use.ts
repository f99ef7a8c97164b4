import type { Clock } from "../model/runtime.ts";
import type { Database } from "../store/port.ts";
import { recordTokenUse } from "../store/queries/service-tokens.ts";
import { startFlush } from "./flush.ts";

/** Keeps when each service token was last used, right to within a minute, without a write per request (TOK-10). */
export interface TokenUse {
  record(tokenId: number): void;
  /** Writes what was recorded. What cannot be written is kept for the next time. */
  flush(): Promise<void>;
  /** Ends the timer and writes what is left. */
  close(): Promise<void>;
}

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  /** Is told when a write failed that nobody waits for. */
  readonly onError: (error: unknown) => void;
}

const interval = 30_000;

export function createTokenUse({ database, clock, onError }: Parts): TokenUse {
  let uses = new Map<number, number>();

  async function write(): Promise<void> {
    if (uses.size === 0) return;
    const writing = uses;
    uses = new Map();
    try {
      await database.transaction((trx) => recordTokenUse(trx, writing));
    } catch (error) {
      uses = new Map([...writing, ...uses]);
      throw error;
    }
  }

  const { now, close } = startFlush(write, { interval, onError });
  return { record: (tokenId) => void uses.set(tokenId, clock()), flush: now, close };
}

import type { AuditedEvent } from "../model/audit.ts";
import type { Database } from "../store/port.ts";
import { forgetMiddleRefusals, insertAudit } from "../store/queries/audit.ts";
import { usersAmong } from "../store/queries/users.ts";
import { startFlush } from "./flush.ts";

/** Writes down uses of known service tokens that were refused (TOK-12), without a write for each request. */
export interface RefusedUse {
  record(event: RefusedEvent): void;
  /** Writes what was recorded. What cannot be written is kept for the next time. */
  flush(): Promise<void>;
  /** Ends the timer and writes what is left. */
  close(): Promise<void>;
}

type RefusedEvent = AuditedEvent & Required<Pick<AuditedEvent, "token">>;

interface Parts {
  readonly database: Database;
  /** Is told when a write failed that nobody waits for. */
  readonly onError: (error: unknown) => void;
}

const interval = 1000;

/** Events that wait at most: whoever floods Clew, or a database that is away, takes up no more memory. */
const waitingAtMost = 10_000;

export function createRefusedUse({ database, onError }: Parts): RefusedUse {
  let waiting: RefusedEvent[] = [];

  async function write(): Promise<void> {
    if (waiting.length === 0) return;
    const writing = waiting;
    waiting = [];
    try {
      await database.transaction(async (trx) => {
        // An account that was deleted since has no trail any more.
        const users = await usersAmong(trx, new Set(writing.map(({ userId }) => userId)));
        const events = writing.filter(({ userId }) => users.has(userId));
        await insertAudit(trx, events);
        for (const id of new Set(events.map(({ token }) => token.id))) await forgetMiddleRefusals(trx, id);
      });
    } catch (error) {
      waiting = [...writing, ...waiting].slice(-waitingAtMost);
      throw error;
    }
  }

  const { now, close } = startFlush(write, { interval, onError });
  return {
    record(event) {
      if (waiting.length < waitingAtMost) waiting.push(event);
    },
    flush: now,
    close,
  };
}

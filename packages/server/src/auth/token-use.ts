import type { ProblemCode } from "@clew/contract";
import type { Origin } from "../model/caller.ts";
import type { Clock } from "../model/runtime.ts";
import type { ServiceToken } from "../model/service-token.ts";
import type { Database } from "../store/port.ts";
import { forgetMiddleRefusals, insertAudit } from "../store/queries/audit.ts";
import { recordTokenUse, serviceTokensById } from "../store/queries/service-tokens.ts";

/** Calls `work` every `intervalMs` until the returned function is called. */
export type Every = (intervalMs: number, work: () => void) => () => void;

const everyInterval: Every = (intervalMs, work) => {
  const timer = setInterval(work, intervalMs).unref();
  return () => clearInterval(timer);
};

interface WriterServices {
  readonly database: Database;
  /** Reports a write that failed in the background. */
  readonly onError: (error: unknown) => void;
  /** The timer; a real one by default. */
  readonly every?: Every;
}

const flushTokenUseMs = 30_000;
const flushRefusedUseMs = 1000;

/** Refused uses that may wait to be written: limits memory in a flood, or while the database is unavailable. */
const maxWaitingRefusals = 10_000;

export type TokenUse = ReturnType<typeof createTokenUse>;

/** Records when each service token was last used, to the minute (TOK-10). */
export function createTokenUse(services: WriterServices & { readonly clock: Clock }) {
  const uses = new Map<number, number>();
  const writer = flushEvery(flushTokenUseMs, services, async () => {
    if (uses.size === 0) return;
    const written = new Map(uses);
    await services.database.record((trx) => recordTokenUse(trx, written));
    // Only now: a failed write loses nothing.
    for (const [tokenId, at] of written) if (uses.get(tokenId) === at) uses.delete(tokenId);
  });
  return {
    ...writer,
    record: (tokenId: number) => void uses.set(tokenId, services.clock()),
    /** The time at which a token was last used, including a use that this process has yet to write. */
    lastUseOf: ({ id, lastUsedAt }: Pick<ServiceToken, "id" | "lastUsedAt">): number | null => {
      const unwritten = uses.get(id);
      return unwritten === undefined ? lastUsedAt : Math.max(unwritten, lastUsedAt ?? 0);
    },
  };
}

/** A use of a known service token that was refused. */
interface RefusedUseEvent {
  readonly tokenId: number;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly reason: ProblemCode;
  readonly origin: Origin;
}

export type RefusedUse = ReturnType<typeof createRefusedUse>;

/** Records refused uses of known service tokens in the audit trail (TOK-12). */
export function createRefusedUse(services: WriterServices) {
  const waiting: RefusedUseEvent[] = [];
  const writer = flushEvery(flushRefusedUseMs, services, async () => {
    if (waiting.length === 0) return;
    const written = [...waiting];
    await services.database.transaction(async (trx) => {
      // A deleted token was deleted with its account and the account's audit trail.
      const tokens = await serviceTokensById(trx, new Set(written.map(({ tokenId }) => tokenId)));
      const events = written.flatMap(({ tokenId, ...refusal }) => {
        const token = tokens.get(tokenId);
        return token ? [{ ...refusal, event: "token_refused" as const, userId: token.userId, token }] : [];
      });
      await insertAudit(trx, events);
      for (const id of tokens.keys()) await forgetMiddleRefusals(trx, id);
    });
    waiting.splice(0, written.length);
  });
  return {
    ...writer,
    record(event: RefusedUseEvent): void {
      if (waiting.length < maxWaitingRefusals) waiting.push(event);
    },
  };
}

/**
 * Calls `write` at an interval and on demand, one call after the other: records are collected in memory, so that a request
 * costs no write.
 */
export function flushEvery(
  intervalMs: number,
  { onError, every = everyInterval }: Pick<WriterServices, "onError" | "every">,
  write: () => Promise<void>,
) {
  let lastWrite: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => {
    lastWrite = lastWrite.then(write, write);
    return lastWrite;
  };
  const stop = every(intervalMs, () => void flush().catch(onError));
  return {
    /** Writes the records. Those that cannot be written are written the next time. */
    flush,
    /** Stops the timer and writes the rest. Failures go to `onError`. */
    close(): Promise<void> {
      stop();
      return flush().catch(onError);
    },
  };
}

import type { ProblemCode } from "@clew/contract";
import type { Origin } from "../model/caller.ts";
import type { Clock } from "../model/runtime.ts";
import type { ServiceToken } from "../model/service-token.ts";
import type { Database, WriteTransaction } from "../store/port.ts";
import { forgetMiddleRefusals, insertAudit } from "../store/queries/audit.ts";
import { recordTokenUse, serviceTokensById, storedTokens } from "../store/queries/service-tokens.ts";

/** Calls `work` every `intervalMs` until the returned function is called. */
export type Every = (intervalMs: number, work: () => void) => () => void;

const everyInterval: Every = (intervalMs, work) => {
  const timer = setInterval(work, intervalMs).unref();
  return () => clearInterval(timer);
};

interface WriterServices {
  readonly database: Database;
  /** The databases of the other buckets, to which a token's person may have been moved; left out if there is one bucket alone. */
  readonly others?: (() => readonly Database[]) | undefined;
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
    const taken = new Map(uses);
    const forget = (tokenIds: Iterable<number>) => {
      for (const id of tokenIds) if (uses.get(id) === taken.get(id)) uses.delete(id);
    };
    const left = () => new Map([...taken].filter(([id, at]) => uses.get(id) === at));
    for (const database of databasesOf(services)) {
      const some = left();
      if (some.size === 0) return;
      // Only after the commit: a failed write loses nothing.
      forget(await database.record((trx) => recordTokenUse(trx, some)));
    }
    forget(await deletedAmong(services, [...left().keys()]));
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
  let waiting: RefusedUseEvent[] = [];
  const writer = flushEvery(flushRefusedUseMs, services, async () => {
    if (waiting.length === 0) return;
    const taken = new Set(waiting);
    const left = () => waiting.filter((event) => taken.has(event));
    const forget = (tokenIds: Iterable<number>) => {
      const ids = new Set(tokenIds);
      waiting = waiting.filter((event) => !taken.has(event) || !ids.has(event.tokenId));
    };
    for (const database of databasesOf(services)) {
      const some = left();
      if (some.length === 0) return;
      forget(await database.transaction((trx) => insertRefusals(trx, some)));
    }
    // A deleted token was deleted with its account and the account's audit trail.
    forget(
      await deletedAmong(
        services,
        left().map(({ tokenId }) => tokenId),
      ),
    );
  });
  return {
    ...writer,
    record(event: RefusedUseEvent): void {
      if (waiting.length < maxWaitingRefusals) waiting.push(event);
    },
  };
}

/** Writes the refused uses of those tokens that are in this bucket, unless their owners are being moved. Returns these tokens. */
async function insertRefusals(
  trx: WriteTransaction,
  refusals: readonly RefusedUseEvent[],
): Promise<Iterable<number>> {
  const tokens = await serviceTokensById(trx, new Set(refusals.map(({ tokenId }) => tokenId)));
  const events = refusals.flatMap(({ tokenId, ...refusal }) => {
    const token = tokens.get(tokenId);
    return token ? [{ ...refusal, event: "token_refused" as const, userId: token.userId, token }] : [];
  });
  await insertAudit(trx, events);
  await forgetMiddleRefusals(trx, tokens.keys());
  return tokens.keys();
}

/** The databases in which a token may be: nearly always it is in the first. */
const databasesOf = ({ database, others }: WriterServices) => [database, ...(others?.() ?? [])];

/** Those of these tokens that no bucket has. The owners of all others are being moved. */
async function deletedAmong(
  services: WriterServices,
  tokenIds: readonly number[],
): Promise<readonly number[]> {
  if (tokenIds.length === 0) return [];
  const found = await Promise.all(databasesOf(services).map(({ read }) => storedTokens(read, tokenIds)));
  const stored = new Set(found.flat());
  return tokenIds.filter((id) => !stored.has(id));
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

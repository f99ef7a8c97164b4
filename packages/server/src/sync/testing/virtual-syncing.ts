import type { DatabaseLocation } from "../../model/database-location.ts";
import "../../store/testing/repeat-transactions.ts";
import { defaultRequestsPerMinute } from "@clew/notion";
import { createTurns } from "../../model/turns.ts";
import { pendingAnswers } from "../../store/testing/pending.ts";
import { defaultLockWait } from "../../store/wrappers/lock-wait.ts";
import { generatedFetch, generatedToken } from "./generated-workspaces.ts";
import { openSyncing } from "./syncing.ts";
import { createVirtualTime } from "./virtual-time.ts";

/** Milliseconds that the provider takes for an answer. */
const latencyMs = 250;

/** Milliseconds between two polls for the end of all syncs. */
const pollIntervalMs = 1000;

/** The duration of a sync, in milliseconds since its sign-in. */
export interface SyncTimes {
  readonly outcome: string | null;
  /** When its titles could be searched. */
  readonly titles: number | null;
  /** When it ended. */
  readonly end: number;
}

/**
 * Syncs of generated workspaces in virtual time: the whole of syncing but the graphs, over a real database. The
 * provider's calls and the pace that Clew keeps take their time; what Clew computes takes none.
 */
export async function openVirtualSyncing(options: {
  readonly location: DatabaseLocation;
  /** Sync services that share the work, as in several instances on one database; one when left out. */
  readonly instances?: number;
  /** Calls that each person's grant may make in a minute; as in production when left out. */
  readonly requestsPerMinute?: number;
  /** Bytes that all syncs may hold together; as in production when left out. */
  readonly memoryLimit?: number;
  /** Nodes of a workspace whose sync does not wait for larger ones; as in production when left out. */
  readonly smallNodes?: number;
  /** Milliseconds that each write of the database takes; none when left out. SQLite writes one after the other. */
  readonly writeMs?: number;
  /** Whether the provider refuses this call, counted from 1: 429 with `Retry-After: 1`. */
  readonly isRefused?: (call: number) => boolean;
}) {
  const { instances = 1, writeMs = 0, isRefused = () => false, ...others } = options;
  const time = createVirtualTime(() => pendingAnswers() > 0);
  const { clock, sleep } = time;
  let calls = 0;
  let texts = 0;
  const published = new Map<number, number>();
  const { database, sync, createService, connection, connectWithToken, close } = await openSyncing({
    slug: "generated",
    standIn: false,
    apiUrl: "http://generated.example",
    clock,
    sleep,
    betweenPolls: sleep,
    lockWait: { ...defaultLockWait, now: clock, sleep },
    inTurn: createTurns({ atOnce: 256 }),
    requestsPerMinute: defaultRequestsPerMinute,
    ...others,
    fetch: async (input, init) => {
      calls += 1;
      if (String(input).includes("/markdown")) texts += 1;
      const refused = isRefused(calls);
      await sleep(latencyMs, init?.signal);
      return refused
        ? new Response('{"object":"error","code":"rate_limited"}', {
            status: 429,
            headers: { "retry-after": "1" },
          })
        : generatedFetch(input, init);
    },
    wrapDatabase: (fast) => ({
      ...fast,
      transaction: (work) =>
        fast.transaction(async (trx) => {
          if (writeMs > 0) await sleep(writeMs);
          return work(trx);
        }),
    }),
    publish: async (id) => {
      if (!published.has(id)) published.set(id, clock());
    },
  });

  const services = [sync, ...Array.from({ length: instances - 1 }, () => createService())];
  for (const service of services) service.start();

  const signedIn = new Map<number, number>();
  const isOver = async () => {
    const { left } = await database.read
      .selectFrom("connections")
      .select(({ fn }) => fn.countAll<number>().as("left"))
      .where("sync_state", "not in", ["idle", "failed"])
      .executeTakeFirstOrThrow();
    return left === 0;
  };

  return {
    time,
    database,
    sync,
    calls: () => calls,
    /** Calls that asked for a text. */
    texts: () => texts,

    connection,

    /** A new user connects a workspace of `pages` pages, and requests its first sync. Returns the connection's id. */
    async signIn(pages: number): Promise<number> {
      const number = signedIn.size;
      const { id } = await connectWithToken(`person-${number}`, generatedToken(number, pages));
      signedIn.set(id, clock());
      await services[number % instances]?.request(id, { by: "sign-in" });
      return id;
    },

    /** Lets time pass until no sync waits or runs. Calls `onPoll` every second of that time. */
    async settle(onPoll: () => void = () => {}): Promise<void> {
      const wait = async () => {
        while (!(await isOver())) {
          onPoll();
          await sleep(pollIntervalMs);
        }
      };
      await time.run(wait());
    },

    /** The times of all syncs, in the order of sign-in. */
    async times(): Promise<SyncTimes[]> {
      const rows = await database.read
        .selectFrom("connections")
        .select(["id", "sync_outcome as outcome", "sync_finished_at as finishedAt"])
        .orderBy("id")
        .execute();
      return rows.map(({ id, outcome, finishedAt }) => {
        const began = signedIn.get(id) ?? 0;
        const titles = published.get(id);
        return {
          outcome,
          titles: titles === undefined ? null : titles - began,
          end: (finishedAt ?? 0) - began,
        };
      });
    },

    async close(): Promise<void> {
      await time.run(close());
    },
  };
}

import "../../store/testing/repeat-transactions.ts";
import { defaultRequestsPerMinute } from "../../provider/notion/api.ts";
import { createTurns } from "../jobs/turns.ts";
import { generatedFetch, generatedToken } from "./generated-workspaces.ts";
import { openSyncing } from "./syncing.ts";
import { createVirtualTime } from "./virtual-time.ts";

/** Milliseconds that the provider takes for an answer. */
const latencyMs = 250;

/** Milliseconds between two looks at whether all syncs have ended. */
const lookMs = 1000;

const never = new AbortController().signal;

/** When something became of a sync, in milliseconds since its sign-in. */
export interface SyncTimes {
  readonly outcome: string | null;
  /** When its titles could be searched. */
  readonly titles: number | null;
  /** When it ended. */
  readonly end: number;
}

/**
 * Syncs of generated workspaces in virtual time: the whole of syncing but the graphs, over a real database at `path`. The
 * provider's calls and the pace that Clew keeps take their time; what Clew computes takes none.
 */
export async function openVirtualSyncing(options: {
  readonly path: string;
  /** Calls that each person's grant may make in a minute; as in production where it is left out. */
  readonly requestsPerMinute?: number;
  /** Bytes that all syncs may hold together; as in production where it is left out. */
  readonly memoryLimit?: number;
  /** Nodes of a workspace whose sync does not wait for larger ones; as in production where it is left out. */
  readonly smallNodes?: number;
  /** Milliseconds that each write of the database takes; none where it is left out. One follows another. */
  readonly writeMs?: number;
  /** Whether the provider refuses this call, counted from 1: 429 with `Retry-After: 1`. */
  readonly isRefused?: (call: number) => boolean;
}) {
  const { writeMs = 0, isRefused = () => false, ...others } = options;
  const time = createVirtualTime();
  const { clock, sleep } = time;
  let calls = 0;
  let texts = 0;
  const published = new Map<number, number>();
  const { database, sync, connection, connectWithToken, close } = await openSyncing({
    slug: "generated",
    standIn: false,
    apiUrl: "http://generated.example",
    clock,
    sleep,
    inTurn: createTurns({ atOnce: 256 }).take,
    requestsPerMinute: defaultRequestsPerMinute,
    ...others,
    fetch: async (input, init) => {
      calls += 1;
      if (String(input).endsWith("/markdown")) texts += 1;
      const refused = isRefused(calls);
      await sleep(latencyMs, init?.signal ?? never);
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
          if (writeMs > 0) await sleep(writeMs, never);
          return work(trx);
        }),
    }),
    publish: async (id) => {
      if (!published.has(id)) published.set(id, clock());
    },
  });

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

    /** Somebody signs in who shares so many pages: their first sync is asked for. Answers with the connection's id. */
    async signIn(pages: number): Promise<number> {
      const number = signedIn.size;
      const { id } = await connectWithToken(`person-${number}`, generatedToken(number, pages));
      signedIn.set(id, clock());
      await sync.request(id, { by: "sign-in" });
      return id;
    },

    /** Lets time pass until no sync waits or is under way. `onLook` is called every second of that time. */
    async settle(onLook: () => void = () => {}): Promise<void> {
      const wait = async () => {
        while (!(await isOver())) {
          onLook();
          await sleep(lookMs, never);
        }
      };
      await time.run(wait());
    },

    /** What became of the syncs, in the order in which their people signed in. */
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

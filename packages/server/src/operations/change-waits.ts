import type { Changes, FollowQuery } from "@clew/contract";
import { connectionsWithin } from "../graphs/readable.ts";
import { ApiError } from "../model/api-error.ts";
import type { KnownCaller } from "../model/caller.ts";
import { changes } from "./changes.ts";
import { type QueryServices, type RequestContext, readableConnectionsOf } from "./request-context.ts";

/** Waiting requests of one token or session at a time (GRAPH-27). */
const maxWaiting = 4;

/** Milliseconds after which a waiting request looks for what another instance has published. */
const pollIntervalMs = 500;

/** Checks the access of a call again. Throws `ApiError` if it has ended. */
type Renew = () => Promise<RequestContext>;

/** The state that a request has seen when it begins to wait. */
interface Seen {
  readonly ctx: RequestContext;
  readonly published: string;
  readonly page: Changes;
}

export type ChangeWaits = ReturnType<typeof createChangeWaits>;

/** The requests that wait for changes (GRAPH-27). */
export function createChangeWaits({ graphs }: Pick<QueryServices, "graphs">) {
  const waiting = new Map<string, number>();
  const closing = new AbortController();

  /** Resolves once a graph of these connections was built, after a time, or when the signal is aborted. */
  function pause(
    connectionIds: ReadonlySet<number>,
    milliseconds: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = () => resolve();
    const timer = setTimeout(end, milliseconds);
    const forget = graphs.onBuilt((connectionId) => {
      if (connectionIds.has(connectionId)) end();
    });
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    return promise.finally(() => {
      clearTimeout(timer);
      forget();
      signal.removeEventListener("abort", end);
    });
  }

  async function waitForItems(
    first: Seen,
    { wait = 0, ...query }: FollowQuery,
    renew: Renew,
  ): Promise<Changes> {
    const { signal: gone } = first.ctx;
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, closing.signal, ...(gone === undefined ? [] : [gone])]);
    const timer = setTimeout(() => over.abort(), wait * 1000);
    let { ctx, published: known, page } = first;
    try {
      while (!signal.aborted) {
        const ids = new Set(readableConnectionsOf(ctx).map(({ id }) => id));
        await pause(ids, pollIntervalMs, signal);
        ctx = await renew();
        const published = publishedOf(ctx, query.workspace_id);
        if (published === known) continue;
        known = published;
        page = await changes(ctx, { ...query, cursor: page.next_cursor });
        if (page.items.length > 0 || page.more) return page;
      }
      return page;
    } finally {
      clearTimeout(timer);
    }
  }

  /** The graphs that are published and in memory. If they are the same, there is nothing new. */
  function publishedOf(ctx: RequestContext, workspaceId: string | undefined): string {
    const connections = connectionsWithin(readableConnectionsOf(ctx), workspaceId);
    return connections
      .map((connection) => {
        const { id, publishedRevision } = connection;
        return `${id} ${publishedRevision} ${graphs.loaded(connection)?.version}`;
      })
      .join();
  }

  return {
    /**
     * The changes since a cursor. If there are none, it waits for some as long as the query says, until the call's signal is aborted. Throws `ApiError`
     * `rate_limited` if the caller has too many waiting requests.
     */
    async follow(ctx: RequestContext, query: FollowQuery, renew: Renew): Promise<Changes> {
      const { wait = 0, ...asked } = query;
      if (wait > 0 && asked.cursor === undefined) throw waitsWithoutCursor();
      // Before the changes are read: a version that is published during the read must not count as known.
      const published = publishedOf(ctx, query.workspace_id);
      const page = await changes(ctx, asked);
      if (wait === 0 || page.items.length > 0 || page.more) return page;
      const key = keyOf(ctx.caller);
      const others = waiting.get(key) ?? 0;
      if (others >= maxWaiting) throw tooManyWaiting();
      waiting.set(key, others + 1);
      try {
        return await waitForItems({ ctx, published, page }, query, renew);
      } finally {
        const left = (waiting.get(key) ?? 1) - 1;
        if (left > 0) waiting.set(key, left);
        else waiting.delete(key);
      }
    },
    /** Ends all waits; each request is answered with what there is. */
    close: () => closing.abort(),
  };
}

function keyOf(caller: KnownCaller): string {
  return caller.kind === "session" ? caller.sessionId : `token ${caller.tokenId}`;
}

function waitsWithoutCursor(): ApiError {
  return new ApiError("invalid_request", "Without a cursor there is nothing to wait for.", {
    errors: [{ path: "?wait", message: "needs a cursor; `cursor=now` begins with the next change" }],
  });
}

function tooManyWaiting(): ApiError {
  return new ApiError("rate_limited", `A caller may have ${maxWaiting} requests wait at a time.`, {
    headers: { "retry-after": "1" },
  });
}

import type { FastifyInstance, FastifyRequest } from "fastify";
import { isRecord } from "../workspace/front-matter.ts";
import { parseId } from "../workspace/ids.ts";
import type { Callers } from "./callers.ts";

/** A request as it was answered. */
export interface RecordedRequest {
  readonly method: string;
  /** `/v1/pages/:page_id` */
  readonly route: string;
  /** The first id in its path. */
  readonly id: string | null;
  /** When it came, by the stand-in's clock. */
  readonly at: number;
  /** The bot of the grant whose token it presented. */
  readonly bot: string | null;
  /** Null while there is no answer. */
  readonly status: number | null;
}

/** What was asked of the stand-in. */
export interface RequestLog {
  /** How many requests there were, by method and route. */
  calls(): Readonly<Record<string, number>>;
  /** Each of them, in the order in which they came; empty unless they are recorded. */
  requests(): readonly RecordedRequest[];
  reset(): void;
}

/** Counts the requests that a route answers, and records each where that is wanted. */
export function logRequests(
  app: FastifyInstance,
  parts: { record: boolean; callers: Callers; clock: () => number },
): RequestLog {
  const calls = new Map<string, number>();
  let records: RecordedRequest[] = [];
  const places = new WeakMap<FastifyRequest, { list: RecordedRequest[]; index: number }>();

  app.addHook("onRequest", async (request) => {
    const { url: route } = request.routeOptions;
    if (route === undefined) return;
    const call = `${request.method} ${route}`;
    calls.set(call, (calls.get(call) ?? 0) + 1);
    if (!parts.record) return;
    const id = isRecord(request.params) ? parseId(String(Object.values(request.params)[0] ?? "")) : null;
    const { method } = request;
    places.set(request, { list: records, index: records.length });
    records.push({ method, route, id, at: parts.clock(), bot: null, status: null });
  });
  app.addHook("onSend", async (request, reply, payload) => {
    const place = places.get(request);
    const record = place?.list[place.index];
    if (place !== undefined && record !== undefined) {
      const bot = parts.callers.get(request)?.botId ?? null;
      place.list[place.index] = { ...record, bot, status: reply.statusCode };
    }
    return payload;
  });
  return {
    calls: () => Object.fromEntries(calls),
    requests: () => [...records],
    reset() {
      calls.clear();
      records = [];
    },
  };
}
